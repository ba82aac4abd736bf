import { interactionPolicy, type Context } from 'oidc-provider'
import User from '#models/user'
import { isLoopback, isOpenToOthers } from '#oidc/clients/redirect_uris'
import { isMetadataUrl } from '#oidc/clients/metadata_url'
import { isConsented, type RequestedAccess } from '#oidc/consents/consents'
import { grantableScopes } from '#oidc/tokens/resource_servers'
import { ACR_MFA } from './acr.ts'
import { hasPrompt, isStale, lacksFactor } from './freshness.ts'
import type { OwnMetadata } from '#oidc/clients/metadata'

/* An answer counts only in its web session. */

export interface InteractionResult {
  proved?: string
  consented?: string
  continued?: string
}

const { Check, Prompt } = interactionPolicy

function buildPolicy() {
  const policy = interactionPolicy.base()
  policy.get('login').details = () => ({})
  const [login, consent] = [policy.get('login').checks, policy.get('consent').checks]
  for (const reason of ['login_prompt', 'max_age']) login.remove(reason)
  login.add(
    new Check('fresh', 'a new sign-in is required', 'login_required', once(needsSignIn), askedNow)
  )
  login.add(
    new Check('acr', 'another factor is required', 'login_required', once(needsFactor), askedNow)
  )
  login.add(new Check('locked', 'the account is locked', 'access_denied', once(isLocked)))
  consent.clear()
  consent.add(new Check('consent', 'consent is required', 'consent_required', once(needsConsent)))
  policy.add(new Prompt({ name: 'continue' }, CLICK))
  return policy
}

/**
 * Any program can send the id of a public client and listen on loopback (RFC 8252, section 8.6).
 */
const CLICK = new Check('click', 'a click is required', 'interaction_required', needsClick)

function needsClick(ctx: Context) {
  const { client, params, session } = ctx.oidc
  const isPublic = client.clientAuthMethod === 'none'
  if (!session.accountId || !isOpenToOthers(params.redirect_uri, isPublic)) return false
  const { proved, consented, continued } = resultOf(ctx)
  return ![proved, consented, continued].includes(session.uid)
}

/** `load_grant.ts` runs each check before the library does. */
function once(check: (ctx: Context) => boolean | Promise<boolean>) {
  const results = new WeakMap<Context, Promise<boolean>>()
  return (ctx: Context) => {
    const result = results.get(ctx) ?? Promise.resolve(check(ctx))
    results.set(ctx, result)
    return result
  }
}

function askedNow() {
  return { askedAt: Date.now() }
}

function resultOf({ oidc }: Context): InteractionResult {
  return oidc.result ?? {}
}

function needsSignIn(ctx: Context) {
  const { params, session } = ctx.oidc
  if (!session.accountId) return true
  return resultOf(ctx).proved !== session.uid && isStale(params, session)
}

async function needsFactor({ oidc }: Context) {
  const { accountId, acr } = oidc.session
  if (!accountId || acr === ACR_MFA) return false
  return lacksFactor(oidc.params, { acr, user: await User.find(accountId) })
}

/** A lock refuses new authorizations; live sessions go on. */
async function isLocked({ oidc }: Context) {
  const user = oidc.session.accountId ? await User.find(oidc.session.accountId) : null
  return Boolean(user?.isLocked())
}

async function needsConsent(ctx: Context) {
  const { client, params, session } = ctx.oidc
  const { kind }: OwnMetadata = client.gatehouse
  if (!session.accountId || kind === 'first_party') return false
  const isAsked = hasPrompt(params, 'consent') || isUnprovable(ctx)
  if (isAsked && resultOf(ctx).consented !== session.uid) return true
  const consent = { userId: session.accountId, clientId: client.clientId }
  return !(await isConsented(consent, requestOf(ctx)))
}

/** Any program can use the id of a metadata document on loopback, so that a click is not enough. */
function isUnprovable({ oidc }: Context) {
  const { redirect_uri: uri } = oidc.params
  return isMetadataUrl(oidc.client.clientId) && Boolean(uri) && isLoopback(new URL(uri))
}

export function requestOf({ oidc }: Context): RequestedAccess {
  const scopes = grantableScopes(oidc.client, oidc.params)
  return { scopes, resources: Object.keys(oidc.resourceServers) }
}

export const policy = buildPolicy()
