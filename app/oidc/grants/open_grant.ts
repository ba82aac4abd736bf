import db from '@adonisjs/lucid/services/db'
import { errors } from 'oidc-provider'
import limits from '#config/limits'
import tokens from '#config/tokens'
import User from '#models/user'
import { throttleNewGrants } from '#auth/lockout/throttle'
import store from '#auth/store/service'
import { findActiveSession } from '#auth/sessions/active_session'
import { deviceName } from '#auth/sessions/device'
import { addSession } from '#auth/sessions/sessions'
import { E_TOO_MANY_REQUESTS } from '#exceptions/http_errors'
import { record } from '#events/record'
import { userActor } from '#audit/actor'
import { IDENTITY_SCOPES } from '#oidc/clients/client'
import { mayStartSessions } from '#oidc/clients/client_rows'
import { isConsented } from '#oidc/consents/consents'
import { newClientSession } from './client_session.ts'
import { isMetadataUrl } from '#oidc/clients/metadata_url'
import { selectGrants } from '#oidc/records/grant_rows'
import { readGrant, saveGrant } from '#oidc/records/payloads'
import type Provider from 'oidc-provider'
import type { Client, Grant } from 'oidc-provider'
import type { AuthorizedAccess } from '#oidc/consents/requested_access'
import type { OwnMetadata } from '#oidc/clients/metadata'
import type { SessionRecord } from '#auth/store/contract'
import type { Transaction } from '#database/transaction'

export interface Authorization extends AuthorizedAccess {
  client: Client
  userId: string
  webSessionId: string
  browserId?: string | null
  ip: string
  userAgent: string | null
}

const NAME_LENGTH = 60

/** @throws access_denied */
export async function openGrant(provider: Provider, authorization: Authorization) {
  const current = await currentGrant(provider, authorization)
  if (!current) return newGrant(provider, authorization)
  await renewAuthentication(current, authorization)
  return covers(current, authorization) ? current : extendGrant(provider, current, authorization)
}

/** The browser may have proved another factor since the grant was opened. */
async function renewAuthentication(
  { jti: sessionId }: Grant,
  { userId, webSessionId }: Authorization
) {
  const web = await findActiveSession(userId, webSessionId)
  if (!web) throw new errors.AccessDenied()
  const authentication = { amr: web.amr, at: web.authenticatedAt }
  await store.reauthenticateSession({ userId, sessionId }, authentication)
}

export function openDeviceGrant(provider: Provider, opening: Opening, trx: Transaction) {
  return insertGrant(provider, { ...opening, binding: {} }, trx)
}

/** A grant that ends soon is no use to a new sign-in. */
async function currentGrant(provider: Provider, { client, userId, webSessionId }: Authorization) {
  const match = { client_id: client.clientId, user_id: userId, web_session_id: webSessionId }
  const [found] = await selectGrants(match)
  const grant = found && (await provider.Grant.find(found.grantId))
  return grant && livesOn(grant, client) ? grant : undefined
}

function livesOn({ exp }: Grant, client: Client) {
  return exp * 1_000 - Date.now() > ttlOf(client) / 2
}

function ttlOf({ gatehouse }: Client) {
  const { refreshTtlMs }: OwnMetadata = gatehouse
  return refreshTtlMs ?? tokens.refreshTtlMs
}

function covers(grant: Grant, { scopes, resources, claims }: AuthorizedAccess) {
  const has = (granted: string, asked: string[]) =>
    asked.every((each) => granted.split(' ').includes(each))
  const ofResources = resources.map((each) => grant.getResourceScope(each))
  return (
    has(grant.getOIDCScope(), identityScopesOf(scopes)) &&
    has(grant.getOIDCClaims().join(' '), claims) &&
    ofResources.every((granted) => has(granted, scopes))
  )
}

/** Read again under the lock: two requests at once keep what both add. */
function extendGrant(provider: Provider, { jti }: Grant, authorization: Authorization) {
  const key = { userId: authorization.userId, sessionId: jti }
  return db.transaction(async (trx) => {
    await assertMayGrant(authorization, trx)
    const stored = await readGrant(jti, trx)
    const isAlive = await store.isSessionAlive(key, Date.now(), trx)
    if (!stored || !isAlive) throw new errors.AccessDenied()
    const grant = new provider.Grant(stored)
    addScopes(grant, authorization)
    await saveGrant(grant, trx)
    return grant
  })
}

/** Reads before the transaction, which could starve waiting for another connection. */
async function newGrant(provider: Provider, authorization: Authorization) {
  const { userId, webSessionId, browserId } = authorization
  const web = await findActiveSession(userId, webSessionId)
  if (!web) throw new errors.AccessDenied()
  await assertPace(userId)
  const opening = { authorization, web, binding: { webSessionId, browserId } }
  return db.transaction((trx) => insertGrant(provider, opening, trx))
}

async function assertPace(userId: string) {
  try {
    await throttleNewGrants(userId)
  } catch (error) {
    if (!(error instanceof E_TOO_MANY_REQUESTS)) throw error
    throw new errors.TemporarilyUnavailable('too many sessions with applications')
  }
}

type Binding = Pick<Authorization, 'webSessionId' | 'browserId'>

interface Opening {
  authorization: Authorization
  web: SessionRecord
}

/** One transaction: the end of all grants finds the session and the grant. */
async function insertGrant(
  provider: Provider,
  { authorization, web, binding }: Opening & { binding: Partial<Binding> },
  trx: Transaction
) {
  const { userId, client } = authorization
  await assertMayGrant(authorization, trx)
  const session = newSession(authorization, web)
  await addSession(session, trx)
  const exp = Math.floor(session.expiresAt / 1_000)
  const who = { jti: session.id, accountId: userId, clientId: client.clientId }
  const grant = new provider.Grant({ ...who, ...binding, exp })
  addScopes(grant, authorization)
  await saveGrant(grant, trx)
  await recordGrant(authorization, session, trx)
  return grant
}

/** The lock orders this and an end of the user's sessions. @throws access_denied */
async function assertMayGrant(authorization: Authorization, trx: Transaction) {
  const { userId, webSessionId } = authorization
  const user = await User.lockForUpdate(userId, trx)
  const isAlive = await store.isSessionAlive({ userId, sessionId: webSessionId }, Date.now(), trx)
  const isBarred = !user || user.isDisabled || user.isLocked()
  const isAllowed = await isConsentedNow(authorization, trx)
  if (!isAlive || isBarred || !isAllowed) throw new errors.AccessDenied()
  await assertOpen(authorization.client.clientId, trx)
}

async function assertOpen(clientId: string, trx: Transaction) {
  if (await mayStartSessions(clientId, trx)) return
  if (!isMetadataUrl(clientId)) throw new errors.AccessDenied()
  const description = 'sessions with this client are being ended, try again in a minute'
  throw new errors.TemporarilyUnavailable(description)
}

function newSession(authorization: Authorization, web: SessionRecord): SessionRecord {
  const { client, userId, ip } = authorization
  const userAgent = authorization.userAgent?.slice(0, limits.userAgent) ?? null
  const name = `${shortName(client)} · ${deviceName(userAgent)}`
  const device = { deviceName: name, ip, userAgent }
  const { method, amr, authenticatedAt } = web
  const authentication = { method, amr, authenticatedAt }
  return newClientSession(
    { userId, clientId: client.clientId, ...device, ...authentication },
    ttlOf(client)
  )
}

/** Read again under the lock, because the consent may be revoked. */
async function isConsentedNow(authorization: Authorization, trx: Transaction) {
  const { client, userId } = authorization
  if (client.gatehouse.kind === 'first_party') return true
  return isConsented({ userId, clientId: client.clientId }, authorization, trx)
}

/** Keeps the end of a long host: `grafana.example.org.evil.test` must not pass for Grafana. */
function shortName({ clientId, clientName }: Client) {
  if (!isMetadataUrl(clientId)) return clientName.slice(0, NAME_LENGTH)
  return clientName.length > NAME_LENGTH ? `…${clientName.slice(1 - NAME_LENGTH)}` : clientName
}

async function recordGrant(
  { client, userId, scopes }: Authorization,
  session: SessionRecord,
  trx: Transaction
) {
  const { clientId, clientName } = client
  const details = { clientId, client: clientName, sessionId: session.id, scopes }
  const about = { user: { id: userId }, actor: userActor(userId, session) }
  await record(trx, { ...about, type: 'application.authorized', details })
}

function addScopes(grant: Grant, { scopes, resources, claims }: AuthorizedAccess) {
  grant.addOIDCScope(identityScopesOf(scopes).join(' '))
  if (claims.length > 0) grant.addOIDCClaims(claims)
  for (const resource of resources) grant.addResourceScope(resource, scopes.join(' '))
}

function identityScopesOf(scopes: string[]) {
  const identity: readonly string[] = IDENTITY_SCOPES
  return scopes.filter((scope) => identity.includes(scope))
}
