import type { HttpContext } from '@adonisjs/core/http'
import { E_UNAUTHORIZED } from '#auth/errors'
import {
  findAuthenticClient,
  parseBasic,
  type ClientCredentials,
} from '#oidc/clients/authenticate_client'
import { sourceOf } from './request_source.ts'
import type { OAuthClient } from '#oidc/clients/client'

const clients = new WeakMap<HttpContext, OAuthClient>()

/** @throws E_UNAUTHORIZED for credentials that are wrong, E_TOO_MANY_REQUESTS */
export async function isFromClient(ctx: HttpContext) {
  const credentials = credentialsOf(ctx)
  if (!credentials) return false
  const client = await findAuthenticClient(credentials, sourceOf(ctx))
  if (client) return Boolean(clients.set(ctx, client))
  const refusal = new E_UNAUTHORIZED()
  refusal.headers['www-authenticate'] = 'Basic error="invalid_client"'
  throw refusal
}

export function clientOf(ctx: HttpContext) {
  return clients.get(ctx)
}

function credentialsOf({ request }: HttpContext): ClientCredentials | null {
  const { authorization } = request.request.headers
  if (authorization) return parseBasic(authorization)
  const { client_id: clientId, client_secret: clientSecret } = request.body()
  if (typeof clientId !== 'string' || typeof clientSecret !== 'string') return null
  return { clientId, candidates: [clientSecret] }
}
