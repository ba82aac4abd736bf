import type { HttpContext } from '@adonisjs/core/http'
import { E_UNAUTHORIZED } from '#auth/errors'
import {
  findAuthenticClient,
  parseBasic,
  type ClientCredentials,
} from '#oidc/clients/authenticate_client'

/**
 * Whether the request comes from a confidential client, by its header or its form.
 *
 * @throws E_UNAUTHORIZED for credentials that are wrong
 */
export async function isFromClient(ctx: HttpContext) {
  const credentials = credentialsOf(ctx)
  if (!credentials) return false
  if (await findAuthenticClient(credentials)) return true
  const refusal = new E_UNAUTHORIZED().with({ error: 'invalid_client' })
  refusal.headers['www-authenticate'] = 'Basic error="invalid_client"'
  throw refusal
}

function credentialsOf({ request }: HttpContext): ClientCredentials | null {
  const { authorization } = request.request.headers
  if (authorization) return parseBasic(authorization)
  const { client_id: clientId, client_secret: clientSecret } = request.body()
  if (typeof clientId !== 'string' || typeof clientSecret !== 'string') return null
  return { clientId, clientSecret }
}
