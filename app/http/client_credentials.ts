import type { HttpContext } from '@adonisjs/core/http'
import settings from '#config/oidc'
import { ADVERTISED_PATHS, PROVIDER_ROUTES } from '#start/routes/oauth'
import { E_UNAUTHORIZED } from '#auth/errors'
import { ASSERTION_TYPE, findAssertingClient } from '#oidc/assertions/verify_assertion'
import {
  findAuthenticClient,
  parseBasic,
  type ClientCredentials,
} from '#oidc/clients/authenticate_client'
import { recordRefusal } from '#oidc/refusals/record_refusal'
import { E_TOO_MANY_REQUESTS } from '#exceptions/http_errors'
import { sourceOf } from './request_source.ts'
import type { OAuthClient } from '#oidc/clients/client'

/** Audiences that an assertion may name besides the issuer. */
const ENDPOINTS = [PROVIDER_ROUTES.token.path, ADVERTISED_PATHS.introspection].map(
  (path) => new URL(path, settings.issuer).href
)

const clients = new WeakMap<HttpContext, OAuthClient>()

/** @throws E_UNAUTHORIZED for credentials that are wrong, E_TOO_MANY_REQUESTS */
export async function isFromClient(ctx: HttpContext) {
  const credentials = credentialsOf(ctx)
  const assertion = credentials ? null : assertionOf(ctx)
  if (!credentials && assertion === null) return false
  const client = credentials
    ? await authenticClient(ctx, credentials)
    : await findAssertingClient(String(assertion), ENDPOINTS)
  if (client) return Boolean(clients.set(ctx, client))
  if (credentials) recordOf(ctx, credentials, 'client_secret')
  const refusal = new E_UNAUTHORIZED()
  refusal.headers['www-authenticate'] = `Basic realm="${settings.issuer}", error="invalid_client"`
  throw refusal
}

function recordOf(
  { request }: HttpContext,
  { clientId }: ClientCredentials,
  reason: 'client_secret' | 'too_many_secrets'
) {
  recordRefusal(request.request, { clientId, reason, sent: null })
}

function authenticClient(ctx: HttpContext, credentials: ClientCredentials) {
  return findAuthenticClient(credentials, sourceOf(ctx)).catch((error) => {
    const isLate = error instanceof E_TOO_MANY_REQUESTS
    if (isLate) recordOf(ctx, credentials, 'too_many_secrets')
    throw error
  })
}

export function clientOf(ctx: HttpContext) {
  return clients.get(ctx)
}

/** RFC 7523, section 2.2. */
function assertionOf({ request }: HttpContext) {
  if (request.request.headers.authorization) return null
  const { client_assertion: assertion, client_assertion_type: type } = request.body()
  return typeof assertion === 'string' && type === ASSERTION_TYPE ? assertion : null
}

function credentialsOf({ request }: HttpContext): ClientCredentials | null {
  const { authorization } = request.request.headers
  if (authorization) return parseBasic(authorization)
  const { client_id: clientId, client_secret: clientSecret } = request.body()
  if (typeof clientId !== 'string' || typeof clientSecret !== 'string') return null
  return { clientId, candidates: [clientSecret] }
}
