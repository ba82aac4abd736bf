import db from '@adonisjs/lucid/services/db'
import { errors } from 'oidc-provider'
import tokens from '#config/tokens'
import User from '#models/user'
import store from '#auth/store/service'
import { deviceName } from '#auth/sessions/device'
import { addSession } from '#auth/sessions/sessions'
import { record } from '#events/record'
import { userActor } from '#audit/actor'
import { IDENTITY_SCOPES } from '#oidc/clients/client'
import { lockForSession } from '#oidc/clients/client_rows'
import { mayAccess, NO_ACCESS } from '#oidc/clients/access/may_access'
import { isConsented } from '#oidc/consents/consents'
import { scopesWithClaims, type AuthorizedAccess } from '#oidc/consents/requested_access'
import { newClientSession } from './client_session.ts'
import { isMetadataUrl } from '#oidc/clients/metadata_url'
import { grantRecord } from '#oidc/records/payloads'
import { insertRecords, type NewRecord } from '#oidc/records/record_rows'
import type Provider from 'oidc-provider'
import type { Client, Grant } from 'oidc-provider'
import type { OwnMetadata } from '#oidc/clients/metadata'
import type { SessionRecord } from '#auth/store/contract'
import type { Transaction } from '#database/transaction'

export interface Authorization extends AuthorizedAccess {
  client: Client
  userId: string
  webSessionId: string
  browserId?: string | null
  ip: string
  /** At most `limits.userAgent` characters. */
  userAgent: string | null
}

const NAME_LENGTH = 60

/** A grant and its session, which are not stored yet. */
export interface NewGrant {
  authorization: Authorization
  session: SessionRecord
  grant: Grant
}

type Binding = Partial<Pick<Authorization, 'webSessionId' | 'browserId'>>

interface Opening {
  authorization: Authorization
  web: SessionRecord
}

export function prepareGrant(
  provider: Provider,
  { authorization, web, binding }: Opening & { binding: Binding }
): NewGrant {
  const { userId, client } = authorization
  const session = newSession(authorization, web)
  const exp = Math.floor(session.expiresAt / 1_000)
  const who = { jti: session.id, accountId: userId, clientId: client.clientId }
  const grant = new provider.Grant({ ...who, ...binding, exp })
  addScopes(grant, authorization)
  return { authorization, session, grant }
}

export async function openDeviceGrant(provider: Provider, opening: Opening, trx: Transaction) {
  const prepared = prepareGrant(provider, { ...opening, binding: {} })
  await assertMayGrant(opening.authorization, trx)
  await insertGrant(prepared, trx)
  return prepared.grant
}

/** Stores the grant together with the code that the browser takes to the application. */
export function openGrantWithCode(prepared: NewGrant, code: NewRecord) {
  return db.transaction(async (trx) => {
    await assertMayGrant(prepared.authorization, trx)
    await insertGrant(prepared, trx, [code])
  })
}

/**
 * Runs in the transaction of a sign-in, which has locked the user and stored the web session.
 * @returns false if the client may no longer have the grant
 */
export async function openGrantAtSignIn(prepared: NewGrant, code: NewRecord, trx: Transaction) {
  const { authorization } = prepared
  const { clientId, gatehouse } = authorization.client
  const rule = await lockForSession(clientId, trx)
  /** Repeats the request: the client changed after it was read and may have lost the address. */
  if (rule?.updatedAt !== (gatehouse as OwnMetadata).updatedAt) return false
  const isAllowed = await isConsentedNow(authorization, trx)
  if (!isAllowed || !(await mayStillAccess(rule, authorization, trx))) return false
  await insertGrant(prepared, trx, [code])
  return true
}

type Rule = Parameters<typeof mayAccess>[0]

/** A membership may have ended while the password was verified. */
async function mayStillAccess(rule: Rule, { userId }: Authorization, trx: Transaction) {
  if (rule.access === 'everybody') return true
  const user = await User.find(userId, { client: trx })
  return user !== null && mayAccess(rule, user)
}

/** Uses one transaction, so that the end of all grants finds both the session and the grant. */
async function insertGrant(
  { authorization, session, grant }: NewGrant,
  trx: Transaction,
  codes: NewRecord[] = []
) {
  await addSession(session, trx)
  await insertRecords([await grantRecord(grant), ...codes], trx)
  await recordGrant({ ...authorization, scopes: scopesWithClaims(authorization) }, session, trx)
}

/** The lock serializes this check and the end of the user's sessions. @throws access_denied */
export async function assertMayGrant(authorization: Authorization, trx: Transaction) {
  const { userId, webSessionId } = authorization
  const user = await User.lockForUpdate(userId, trx)
  const isAlive = await store.isSessionAlive({ userId, sessionId: webSessionId }, Date.now(), trx)
  const isBarred = !user || user.isDisabled || user.isLocked()
  const isAllowed = await isConsentedNow(authorization, trx)
  if (!isAlive || isBarred || !isAllowed) throw new errors.AccessDenied()
  await assertOpen(authorization.client.clientId, user, trx)
}

async function assertOpen(clientId: string, user: User, trx: Transaction) {
  const rule = await lockForSession(clientId, trx)
  if (rule && !mayAccess(rule, user)) throw new errors.AccessDenied(NO_ACCESS)
  if (rule) return
  if (!isMetadataUrl(clientId)) throw new errors.AccessDenied()
  const description = 'sessions with this client are being ended, try again in a minute'
  throw new errors.TemporarilyUnavailable(description)
}

export function ttlOf({ gatehouse }: Client) {
  const { refreshTtlMs }: OwnMetadata = gatehouse
  return refreshTtlMs ?? tokens.refreshTtlMs
}

function newSession(authorization: Authorization, web: SessionRecord): SessionRecord {
  const { client, userId, ip, userAgent } = authorization
  const name = `${shortName(client)} · ${deviceName(userAgent)}`
  const device = { deviceName: name, ip, userAgent }
  const { method, amr, authenticatedAt } = web
  const authentication = { method, amr, authenticatedAt }
  return newClientSession(
    { userId, clientId: client.clientId, ...device, ...authentication },
    ttlOf(client)
  )
}

/** Reads the consent again under the lock, because it may have been revoked. */
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

/** @param authorization with the scopes that are new in the session */
export async function recordGrant(
  { client, userId, scopes, ip, userAgent }: Authorization,
  session: { id: string },
  trx: Transaction
) {
  const { clientId, clientName } = client
  const details = { clientId, client: clientName, sessionId: session.id, scopes }
  const about = { user: { id: userId }, actor: userActor(userId, { ip, userAgent }) }
  await record(trx, { ...about, type: 'application.authorized', details })
}

export function addScopes(grant: Grant, { scopes, resources, claims }: AuthorizedAccess) {
  grant.addOIDCScope(identityScopesOf(scopes).join(' '))
  if (claims.length > 0) grant.addOIDCClaims(claims)
  for (const resource of resources) grant.addResourceScope(resource, scopes.join(' '))
}

export function identityScopesOf(scopes: string[]) {
  const identity: readonly string[] = IDENTITY_SCOPES
  return scopes.filter((scope) => identity.includes(scope))
}
