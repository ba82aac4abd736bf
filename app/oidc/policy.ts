import { interactionPolicy, type Context } from 'oidc-provider'
import User from '#models/user'
import { reaches } from './acr.ts'
import { isLoopback } from './clients/redirect_uris.ts'
import { isConsented } from './consents.ts'
import { isDocumentUrl } from './documents/document_url.ts'
import { grantableScopes } from './resource_servers.ts'
import type { OwnMetadata } from './clients/metadata.ts'

/*
 | What an authorization asks of a person first. A page answers, and names the web session in
 | which it was answered: an answer of another session counts for nothing.
 */

/** What a page tells the library: the web session that has signed in anew, or consented. */
export interface InteractionResult {
  proved?: string
  consented?: string
}

const { Check } = interactionPolicy

export function buildPolicy() {
  const policy = interactionPolicy.base()
  const [login, consent] = [policy.get('login').checks, policy.get('consent').checks]
  for (const reason of ['login_prompt', 'max_age']) login.remove(reason)
  login.add(new Check('fresh', 'a new sign-in is required', 'login_required', isStale, askedNow))
  login.add(new Check('acr', 'another factor is required', 'login_required', lacksFactor, askedNow))
  login.add(new Check('locked', 'the account is locked', 'access_denied', isLocked))
  consent.clear()
  consent.add(new Check('consent', 'consent is required', 'consent_required', needsConsent))
  return policy
}

/** In milliseconds: a sign-in counts that is later. */
function askedNow() {
  return { askedAt: Date.now() }
}

function resultOf({ oidc }: Context): InteractionResult {
  return oidc.result ?? {}
}

/** Nobody is signed in, `prompt=login` asks for a sign-in after the request, `max_age` for one not long ago. */
function isStale(ctx: Context) {
  const { params, prompts, session } = ctx.oidc
  if (!session.accountId) return true
  if (resultOf(ctx).proved === session.uid) return false
  const isOld = params.max_age !== undefined && ageOf(session) > Number(params.max_age)
  return prompts.has('login') || isOld
}

function ageOf({ loginTs = 0 }: { loginTs?: number }) {
  return Date.now() / 1_000 - loginTs
}

function lacksFactor({ oidc }: Context) {
  return Boolean(oidc.session.accountId) && !reaches(oidc.session.acr, oidc.params.acr_values)
}

/** A lock keeps new authorizations out; those of before go on. */
async function isLocked({ oidc }: Context) {
  const user = oidc.session.accountId ? await User.find(oidc.session.accountId) : null
  return Boolean(user?.isLocked())
}

/** Applications of the installation itself need none. */
async function needsConsent(ctx: Context) {
  const { client, prompts, session } = ctx.oidc
  const { kind }: OwnMetadata = client.gatehouse
  if (!session.accountId || kind === 'first_party') return false
  const isAsked = prompts.has('consent') || isUnprovable(ctx)
  if (isAsked && resultOf(ctx).consented !== session.uid) return true
  const consent = { userId: session.accountId, clientId: client.clientId }
  return !(await isConsented(consent, requestOf(ctx)))
}

/**
 * Any program on the computer can send the client id of a stranger and listen on loopback, so
 * that the person has to know of each time (RFC 8252, section 8.6).
 */
function isUnprovable({ oidc }: Context) {
  const { redirect_uri: uri } = oidc.params
  return isDocumentUrl(oidc.client.clientId) && Boolean(uri) && isLoopback(new URL(uri))
}

/** What the client asks for, in this request. */
export function requestOf({ oidc }: Context) {
  const scopes = grantableScopes(oidc.client, oidc.params)
  return { scopes, resources: Object.keys(oidc.resourceServers) }
}
