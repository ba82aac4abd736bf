import { errors } from '@adonisjs/core/env'

/** The error that ends a start, with one line for each fault of the environment. */
export function invalidEnvironment(faults: string[]) {
  const error = new errors.E_INVALID_ENV_VARIABLES()
  error.help = faults.map((fault) => `- ${fault}`).join('\n')
  return error
}
