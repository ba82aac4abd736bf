import User from '#models/user'
import { parseBasic } from '#oidc/clients/authenticate_client'
import { isMetadataUrl } from '#oidc/clients/metadata_url'
import { scopesOfIdentity } from '#oidc/clients/scopes'
import { recordRefusal } from '#oidc/refusals/record_refusal'
import { readsOf } from '#oidc/request_reads'
import { printable } from '#oidc/refusals/sent'
import { paramsOf, refusalReason, type ProviderError } from './refusal_reason.ts'
import type { OwnMetadata } from '#oidc/clients/metadata'
import type Provider from 'oidc-provider'
import type { Context } from 'oidc-provider'

const AUTHENTICATED_ROUTES = [
  'device_authorization',
  'pushed_authorization_request',
  'revocation',
  'token',
]

const EVENTS = [
  'authorization.error',
  'device_authorization.error',
  'grant.error',
  'pushed_authorization_request.error',
  'revocation.error',
]

const SUCCESSES = ['authorization.success', 'device_authorization.success', 'grant.success']

/** The library reports each of its errors by an event. */
export function reportRefusals(provider: Provider) {
  for (const event of EVENTS) provider.on(event, report)
  for (const event of SUCCESSES) provider.on(event, reportLeftOut)
}

/** A scope left out is not an error (RFC 6749, section 3.3), but the application misses it. */
function reportLeftOut(ctx: Context) {
  const { client, entities, params } = ctx.oidc
  /** The `scope` parameter already contains only what is granted. */
  const asked = ctx.query.scope ?? entities.Interaction?.params.scope ?? params.scope ?? ''
  const own: OwnMetadata = client.gatehouse
  const registered = new Set<string>(['openid', ...scopesOfIdentity(own), ...own.scopes])
  const leftOut = String(asked)
    .split(' ')
    .filter((scope) => scope && !registered.has(scope))
  if (leftOut.length === 0 || isMetadataUrl(client.clientId)) return
  recordRefusal(ctx.req, {
    clientId: client.clientId,
    reason: 'scope',
    sent: printable(leftOut.join(' ')),
    isTrusted: () => isTrusted(ctx),
  })
}

function report(ctx: Context, error: ProviderError) {
  if (readsOf(ctx.req).preparing) return
  const clientId = clientIdOf(ctx)
  const found = clientId ? refusalReason(ctx, error) : null
  if (!found) return
  recordRefusal(ctx.req, { clientId, ...found, isTrusted: () => isTrusted(ctx, error) })
}

function clientIdOf(ctx: Context) {
  const { client_id: id } = paramsOf(ctx)
  const known = ctx.oidc.client?.clientId ?? parseBasic(ctx.req.headers.authorization)?.clientId
  return known ?? (typeof id === 'string' ? id : '')
}

async function isTrusted(ctx: Context, error: Partial<ProviderError> = {}) {
  if (hasAuthenticated(ctx, error)) return true
  const userId = ctx.oidc.session?.accountId
  const user = userId ? await User.find(userId) : null
  return Boolean(user?.isAdmin)
}

const BEFORE_AUTHENTICATION = /^(?:origin |client authentication must only be provided)/

/** The library knows the client before it authenticates it, and checks some headers in between. */
function hasAuthenticated(
  { oidc }: Context,
  { error, error_description: text }: Partial<ProviderError>
) {
  const { client, route } = oidc
  if (!client || client.clientAuthMethod === 'none') return false
  const isBefore =
    error === 'invalid_client' || error === 'slow_down' || BEFORE_AUTHENTICATION.test(text ?? '')
  return AUTHENTICATED_ROUTES.includes(route) && !isBefore
}
