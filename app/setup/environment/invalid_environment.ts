import { errors } from '@adonisjs/core/env'

export function invalidEnvironment(reasons: string[]) {
  const error = new errors.E_INVALID_ENV_VARIABLES()
  error.help = reasons.map((reason) => `- ${reason}`).join('\n')
  return error
}
