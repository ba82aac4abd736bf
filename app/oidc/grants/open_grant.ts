import db from '@adonisjs/lucid/services/db'
import { errors } from 'oidc-provider'
import { throttleCodes, throttleNewGrants, throttleRenewals } from '#auth/lockout/throttle'
import store from '#auth/store/service'
import { E_TOO_MANY_REQUESTS } from '#exceptions/http_errors'
import { findGrantOfBrowser } from '#oidc/records/grant_rows'
import { isStorable, openPayload, readGrant, saveGrant } from '#oidc/records/payloads'
import { scopesWithClaims, type AuthorizedAccess } from '#oidc/consents/requested_access'
import { currentReads } from '#oidc/request_reads'
import {
  addScopes,
  assertMayGrant,
  identityScopesOf,
  prepareGrant,
  recordGrant,
  ttlOf,
  type Authorization,
  type NewGrant,
} from './new_grant.ts'
import { getsRefreshToken } from './refresh_tokens.ts'
import type Provider from 'oidc-provider'
import type { Client, Grant } from 'oidc-provider'
import type { SessionRecord } from '#auth/store/contract'

interface OpenGrant {
  grant: Grant
  /** A grant that is stored together with its code. */
  prepared?: NewGrant
}

/** @throws access_denied */
export async function openGrant(
  provider: Provider,
  authorization: Authorization,
  web: SessionRecord
): Promise<OpenGrant> {
  const found = await currentGrant(provider, authorization)
  if (!found) return newGrant(provider, authorization, web)
  const { client, userId, scopes } = authorization
  const throttle = getsRefreshToken(client, scopes) ? throttleCodes : throttleRenewals
  await withinPace(() => throttle(userId))
  const { grant: current, session } = found
  if (!session || !isSame(session, web)) await renewAuthentication(current, web)
  if (covers(current, authorization)) return { grant: current }
  if (addedScopes(current, authorization).length > 0)
    await withinPace(() => throttleNewGrants(userId))
  return { grant: await extendGrant(provider, current, authorization) }
}

type Authentication = Pick<SessionRecord, 'amr' | 'authenticatedAt'>

function isSame(one: Authentication, other: Authentication) {
  return one.authenticatedAt === other.authenticatedAt && one.amr.join() === other.amr.join()
}

/** The browser may have proved another factor since the grant was opened. */
async function renewAuthentication({ jti: sessionId }: Grant, web: SessionRecord) {
  const authentication = { amr: web.amr, at: web.authenticatedAt }
  await store.reauthenticateSession({ userId: web.userId, sessionId }, authentication)
}

/** Ignores a grant that ends soon, because it is of no use to a new sign-in. */
async function currentGrant(provider: Provider, { client, userId, webSessionId }: Authorization) {
  const found = await findGrantOfBrowser(client.clientId, userId, webSessionId)
  if (!found) return undefined
  const { grantId, payload, session } = found
  const read = openPayload('Grant', payload, grantId) ?? undefined
  Object.assign(currentReads(), { grant: read, session: session && { ...session, grantId } })
  const grant = await provider.Grant.find(grantId)
  return grant && livesOn(grant, client) ? { grant, session } : undefined
}

function livesOn({ exp }: Grant, client: Client) {
  return exp * 1_000 - Date.now() > ttlOf(client) / 2
}

function covers(grant: Grant, access: AuthorizedAccess) {
  const claims = new Set(grant.getOIDCClaims())
  return addedScopes(grant, access).length === 0 && access.claims.every((each) => claims.has(each))
}

/**
 * Reads the grant again under the lock, so that concurrent requests keep what each of them adds. If
 * the grant has collected too many services, the earlier ones are removed.
 */
function extendGrant(provider: Provider, { jti }: Grant, authorization: Authorization) {
  const key = { userId: authorization.userId, sessionId: jti }
  return db.transaction(async (trx) => {
    await assertMayGrant(authorization, trx)
    const stored = await readGrant(jti, trx)
    const isAlive = await store.isSessionAlive(key, Date.now(), trx)
    if (!stored || !isAlive) throw new errors.AccessDenied()
    const scopes = addedScopes(new provider.Grant(stored), authorization)
    const extended = withAccess(new provider.Grant(stored), authorization)
    const fresh = () => withAccess(new provider.Grant({ ...stored, resources: {} }), authorization)
    const grant = (await isStorable(extended)) ? extended : fresh()
    await saveGrant(grant, trx)
    if (scopes.length > 0) await recordGrant({ ...authorization, scopes }, { id: jti }, trx)
    return grant
  })
}

/** Each added scope is recorded. Call this before a change, which also alters the stored grant. */
function addedScopes(before: Grant, access: AuthorizedAccess) {
  const { scopes, resources } = access
  const had = (granted: string) => new Set(granted.split(' '))
  const identity = had(before.getOIDCScope())
  const ofResources = resources.map((each) => had(before.getResourceScope(each)))
  const isIdentity = new Set(identityScopesOf(scopes))
  const added = scopes.filter(
    (scope) =>
      (isIdentity.has(scope) && !identity.has(scope)) ||
      ofResources.some((granted) => !granted.has(scope))
  )
  return [...new Set([...added, ...addedByClaims(before, access)])]
}

function addedByClaims(before: Grant, { claims }: AuthorizedAccess) {
  const granted = { scopes: before.getOIDCScope().split(' '), claims: before.getOIDCClaims() }
  const had = scopesWithClaims(granted)
  return scopesWithClaims({ scopes: [], claims }).filter((scope) => !had.includes(scope))
}

function withAccess(grant: Grant, authorization: Authorization) {
  addScopes(grant, authorization)
  return grant
}

async function newGrant(provider: Provider, authorization: Authorization, web: SessionRecord) {
  await withinPace(() => throttleNewGrants(authorization.userId))
  return prepareFirstGrant(provider, authorization, web)
}

/** Prepares the first grant of a new web session, whose sign-in has already been counted. */
export function prepareFirstGrant(
  provider: Provider,
  authorization: Authorization,
  web: SessionRecord
) {
  const { webSessionId, browserId } = authorization
  const opening = { authorization, web, binding: { webSessionId, browserId } }
  const prepared = prepareGrant(provider, opening)
  return { grant: prepared.grant, prepared }
}

async function withinPace(count: () => Promise<void>) {
  try {
    await count()
  } catch (error) {
    if (!(error instanceof E_TOO_MANY_REQUESTS)) throw error
    throw new errors.TemporarilyUnavailable('too many sign-ins to applications')
  }
}
