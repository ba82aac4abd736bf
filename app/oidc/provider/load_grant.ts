import { errors } from 'oidc-provider'
import type Provider from 'oidc-provider'
import type { Context } from 'oidc-provider'
import { browserIdOf, DEVICE_COOKIE } from '#auth/devices/browser_id'
import { openGrant, prepareFirstGrant } from '#oidc/grants/open_grant'
import { isConsented } from '#oidc/consents/consents'
import { policy, requestOf } from './policy.ts'
import { hasPrompt } from './freshness.ts'
import { readsOf } from '#oidc/request_reads'
import { sourceOfRequest } from '#oidc/request_source'

/** Opens no grant while the user has a question to answer, because the user may refuse. */
export async function loadGrant(provider: Provider, ctx: Context) {
  assertRedirectUri(ctx)
  await omitOfflineAccess(ctx)
  if (await hasOpenQuestion(ctx)) return undefined
  const { client, session } = ctx.oidc
  const reads = readsOf(ctx.req)
  const { preparing } = reads
  const browserId = preparing?.browserId ?? browserIdOf(ctx.cookies.get(DEVICE_COOKIE))
  const who = { client, userId: session.accountId!, webSessionId: session.uid, browserId }
  const authorization = { ...who, ...requestOf(ctx), ...sourceOfRequest(ctx.req) }
  const { session: web } = reads.caller!
  const { grant, prepared } = preparing
    ? prepareFirstGrant(provider, authorization, web)
    : await openGrant(provider, authorization, web)
  reads.opening = prepared
  session.sidFor(client.clientId, grant.jti)
  return grant
}

/** The address may be removed while the user is asked: it must get no code. */
function assertRedirectUri({ oidc }: Context) {
  const isAllowed = oidc.client.redirectUriAllowed(oidc.params.redirect_uri)
  if (!isAllowed) throw new errors.InvalidRedirectUri()
}

/** With `prompt=none`, no page may ask for this scope: the request goes on without it. */
async function omitOfflineAccess(ctx: Context) {
  const { client, params, session } = ctx.oidc
  const scopes: string[] = params.scope?.split(' ') ?? []
  const isUnasked = client.gatehouse.kind === 'first_party' || !hasPrompt(params, 'none')
  if (isUnasked || !scopes.includes('offline_access')) return
  const consent = { userId: session.accountId!, clientId: client.clientId }
  if (await isConsented(consent, requestOf(ctx))) return
  params.scope = scopes.filter((scope) => scope !== 'offline_access').join(' ')
}

const CHECKS = policy.flatMap(({ checks }) => [...checks])

async function hasOpenQuestion(ctx: Context) {
  for (const { check } of CHECKS) {
    const result = check(ctx)
    /** Most checks answer immediately: a promise would take longer than the check itself. */
    if (typeof result === 'boolean' ? result : await result) return true
  }
  return false
}
