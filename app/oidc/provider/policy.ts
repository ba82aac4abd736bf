import { errors, interactionPolicy, type Context } from 'oidc-provider'
import { isLoopback, canBeIntercepted } from '#oidc/clients/redirect_uris'
import { userActor } from '#audit/actor'
import { mayAccess, NO_ACCESS } from '#oidc/clients/access/may_access'
import { recordNoAccess } from '#oidc/clients/access/record_no_access'
import { sourceOfRequest } from '#oidc/request_source'
import { isMetadataUrl } from '#oidc/clients/metadata_url'
import { isConsented } from '#oidc/consents/consents'
import { accessOf, type AuthorizedAccess } from '#oidc/consents/requested_access'
import { findLoadedUser, readsOf } from '#oidc/request_reads'
import { excludesSubject } from '#oidc/tokens/requested_claims'
import { grantableScopes } from '#oidc/tokens/resource_servers'
import { ACR_MFA } from '#oidc/tokens/acr'
import { hasPrompt, isStale, lacksFactor } from './freshness.ts'
import { needsVerifiedAddress } from './verified_address.ts'
import type { OwnMetadata } from '#oidc/clients/metadata'

/* An answer of a user counts only in the web session in which it was given. */

export interface InteractionResult {
  proved?: string
  consented?: string
  clicked?: string
  selected?: string
}

const { Check, Prompt } = interactionPolicy

function buildPolicy() {
  const policy = interactionPolicy.base()
  policy.get('login').details = () => ({})
  const [login, consent] = [policy.get('login').checks, policy.get('consent').checks]
  for (const reason of REPLACED) login.remove(reason)
  login.add(new Check('scope', 'no scope is left', 'invalid_scope', assertScope), 0)
  login.add(new Check('subject', 'another user is signed in', 'login_required', isAnother))
  login.add(
    new Check('fresh', 'a new sign-in is required', 'login_required', once(needsSignIn), askedNow)
  )
  login.add(
    new Check('acr', 'another factor is required', 'login_required', once(needsFactor), askedNow)
  )
  login.add(new Check('locked', 'the account is locked', 'access_denied', once(isLocked)))
  policy.add(new Prompt({ name: ACCESS_PROMPT }, WITHOUT_ACCESS), indexOf(policy, 'consent'))
  policy.add(new Prompt({ name: ADDRESS_PROMPT }, UNVERIFIED), indexOf(policy, 'consent'))
  consent.clear()
  consent.add(new Check('consent', 'consent is required', 'consent_required', once(needsConsent)))
  policy.add(selection(), 1)
  policy.add(new Prompt({ name: 'continue' }, CLICK))
  return policy
}

/** Checks of the library that would ask forever, because our answers have other members. */
const REPLACED = [
  'login_prompt',
  'max_age',
  'claims_id_token_sub_value',
  'essential_acr',
  'essential_acrs',
]

/** Drops scopes that the client lacks. @throws invalid_scope if none is left (RFC 6749, 3.3) */
function assertScope({ oidc }: Context) {
  const { client, params } = oidc
  if (grantableScopes(client, params).length > 0) return false
  throw new errors.InvalidScope('the client may have none of the requested scopes', params.scope)
}

function selection() {
  const prompt = new Prompt({ name: 'select_account', requestable: true })
  prompt.checks.clear()
  prompt.checks.add(
    new Check(
      'select',
      'a choice of account is required',
      'account_selection_required',
      needsChoice,
      askedNow
    )
  )
  return prompt
}

/** The name of the prompt, and of its page. */
export const ACCESS_PROMPT = 'access'

const WITHOUT_ACCESS = new Check('access', NO_ACCESS, 'access_denied', once(lacksAccess))

async function lacksAccess(ctx: Context) {
  const { rule }: OwnMetadata = ctx.oidc.client.gatehouse
  const user = userOf(ctx)
  if (!user || mayAccess(rule, user)) return false
  /** The repeated request records the refusal. */
  if (readsOf(ctx.req).preparing) return true
  await recordNoAccess(ctx.oidc.client, userActor(user.id, sourceOfRequest(ctx.req)))
  return true
}

/** The name of the prompt, and of its page. */
export const ADDRESS_PROMPT = 'verified_address'

const UNVERIFIED = new Check(
  'unverified_address',
  'the address has to be confirmed',
  'interaction_required',
  once(hasUnverifiedAddress)
)

function hasUnverifiedAddress(ctx: Context) {
  const { client, params } = ctx.oidc
  return needsVerifiedAddress(client, params, userOf(ctx))
}

function indexOf(policy: { name: string }[], name: string) {
  return policy.findIndex((prompt) => prompt.name === name)
}

/**
 * Any program can send the id of a public client and listen on loopback (RFC 8252, section 8.6).
 */
const CLICK = new Check('click', 'a click is required', 'interaction_required', needsClick)

function needsClick(ctx: Context) {
  const { client, params, session } = ctx.oidc
  const isPublic = client.clientAuthMethod === 'none'
  if (!session.accountId || !canBeIntercepted(params.redirect_uri, isPublic)) return false
  const { clicked, consented } = resultOf(ctx)
  return ![clicked, consented].includes(session.uid)
}

/** Keeps the result of a check, because `load_grant.ts` runs it before the library does. */
function once(check: (ctx: Context) => boolean | Promise<boolean>) {
  const results = new WeakMap<Context, boolean | Promise<boolean>>()
  return (ctx: Context) => {
    const result = results.get(ctx) ?? check(ctx)
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

function needsChoice(ctx: Context) {
  const { params, session } = ctx.oidc
  if (!session.accountId || !hasPrompt(params, 'select_account')) return false
  return resultOf(ctx).selected !== session.uid
}

/** Throws an error instead of asking: the browser cannot switch to another user by itself. */
function isAnother(ctx: Context) {
  const { params, session } = ctx.oidc
  if (!session.accountId || needsChoice(ctx)) return false
  if (!excludesSubject(params, session.accountId)) return false
  throw new errors.LoginRequired('the requested subject is not signed in')
}

function needsSignIn(ctx: Context) {
  const { params, session } = ctx.oidc
  if (!session.accountId) return true
  return resultOf(ctx).proved !== session.uid && isStale(params, session)
}

function needsFactor(ctx: Context) {
  const { accountId, acr } = ctx.oidc.session
  if (!accountId || acr === ACR_MFA) return false
  const { rule }: OwnMetadata = ctx.oidc.client.gatehouse
  const user = userOf(ctx)
  /** The user would set up a factor for an application that refuses them. */
  if (user && !mayAccess(rule, user)) return false
  return lacksFactor(ctx.oidc.params, { acr, user, requireMfa: rule.requireMfa })
}

/** Returns the user that was read with the web session. */
function userOf({ oidc, req }: Context) {
  const { accountId } = oidc.session
  return accountId ? findLoadedUser(req, accountId) : null
}

/** A lock refuses new authorizations; live sessions go on. */
function isLocked(ctx: Context) {
  return Boolean(userOf(ctx)?.isLocked())
}

async function needsConsent(ctx: Context) {
  const { client, params, session } = ctx.oidc
  const { kind }: OwnMetadata = client.gatehouse
  if (!session.accountId || kind === 'first_party') return false
  const isAsked = hasPrompt(params, 'consent') || canBeImpersonated(ctx)
  if (isAsked && resultOf(ctx).consented !== session.uid) return true
  const consent = { userId: session.accountId, clientId: client.clientId }
  return !(await isConsented(consent, requestOf(ctx)))
}

/** Any program can use the id of a metadata document on loopback, so that a click is not enough. */
function canBeImpersonated({ oidc }: Context) {
  const { redirect_uri: uri } = oidc.params
  return isMetadataUrl(oidc.client.clientId) && Boolean(uri) && isLoopback(new URL(uri))
}

export function requestOf({ oidc }: Context): AuthorizedAccess {
  const resources = Object.keys(oidc.resourceServers)
  return { ...accessOf(oidc.client, oidc.params), resources }
}

export const policy = buildPolicy()
