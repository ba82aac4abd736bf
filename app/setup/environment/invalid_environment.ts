import { errors } from '@adonisjs/core/env'

export function invalidEnvironment(faults: string[]) {
  const error = new errors.E_INVALID_ENV_VARIABLES()
  error.help = faults.map((fault) => `- ${fault}`).join('\n')
  return error
}
