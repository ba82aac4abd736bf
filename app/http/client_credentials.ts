import type { HttpContext } from '@adonisjs/core/http'
import { E_UNAUTHORIZED } from '#auth/errors'
import {
  findAuthenticClient,
  parseBasic,
  type ClientCredentials,
} from '#oidc/clients/authenticate_client'
import { recordRefusal } from '#oidc/refusals/record_refusal'
import { E_TOO_MANY_REQUESTS } from '#exceptions/http_errors'
import { sourceOf } from './request_source.ts'
import type { OAuthClient } from '#oidc/clients/client'

const clients = new WeakMap<HttpContext, OAuthClient>()

/** @throws E_UNAUTHORIZED for credentials that are wrong, E_TOO_MANY_REQUESTS */
export async function isFromClient(ctx: HttpContext) {
  const credentials = credentialsOf(ctx)
  if (!credentials) return false
  const client = await findAuthenticClient(credentials, sourceOf(ctx)).catch((error) => {
    const isLate = error instanceof E_TOO_MANY_REQUESTS
    if (isLate) recordOf(ctx, credentials, 'too_many_secrets')
    throw error
  })
  if (client) return Boolean(clients.set(ctx, client))
  recordOf(ctx, credentials, 'client_secret')
  const refusal = new E_UNAUTHORIZED()
  refusal.headers['www-authenticate'] = 'Basic error="invalid_client"'
  throw refusal
}

function recordOf(
  { request }: HttpContext,
  { clientId }: ClientCredentials,
  reason: 'client_secret' | 'too_many_secrets'
) {
  recordRefusal(request.request, { clientId, reason, sent: null })
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
