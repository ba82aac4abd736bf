import type { HttpContext } from '@adonisjs/core/http'
import { E_INSUFFICIENT_SCOPE } from '#auth/errors'
import type { Scope } from '#auth/api_keys/scopes'

/** For what a parameter opens beyond its route. Users need no scope. @throws E_INSUFFICIENT_SCOPE */
export function assertScope({ auth }: HttpContext, scope: Scope) {
  const { apiKey, client } = auth.use('api').getUserOrFail()
  const delegate = apiKey ?? client
  if (delegate && !delegate.scopes.includes(scope)) throw new E_INSUFFICIENT_SCOPE()
}
