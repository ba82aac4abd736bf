import db from '@adonisjs/lucid/services/db'
import { errors } from 'oidc-provider'
import tokens from '#config/tokens'
import User from '#models/user'
import store from '#auth/store/service'
import { findActiveSession } from '#auth/sessions/active_session'
import { deviceName, USER_AGENT_MAX_LENGTH } from '#auth/sessions/device'
import { addSession } from '#auth/sessions/sessions'
import { recordAudit } from '#audit/trail'
import { userActor } from '#audit/actor'
import { IDENTITY_SCOPES } from './clients/client.ts'
import { newClientSession } from './client_session.ts'
import { isDocumentUrl } from './documents/document_url.ts'
import { selectGrants } from './storage/record_rows.ts'
import type Provider from 'oidc-provider'
import type { Client, Grant } from 'oidc-provider'
import type { Request } from './consents.ts'
import type { SessionRecord } from '#auth/store/contract'
import type { Transaction } from '#database/transaction'

/** Who authorizes a client, in which session of the browser, and from where. */
export interface Authorization extends Request {
  client: Client
  userId: string
  webSessionId: string
  ip: string
  userAgent: string | null
}

const NAME_LENGTH = 60

/**
 * The session of a person with a client, which they have in this browser already or which
 * starts now. It has the id of the grant, so that to end the one is to end the other.
 *
 * @throws access_denied if the person was signed out, locked or disabled meanwhile
 */
export async function openGrant(provider: Provider, authorization: Authorization): Promise<Grant> {
  const { webSessionId } = authorization
  const present = await presentGrant(provider, authorization)
  const grant = present ?? (await newGrant(provider, authorization, { webSessionId }))
  return withScopes(grant, authorization)
}

/** The session of a device without a browser, which the sign-out of the browser does not end. */
export async function openDeviceGrant(provider: Provider, authorization: Authorization) {
  return withScopes(await newGrant(provider, authorization, {}), authorization)
}

/** Not one that is to end soon: the tokens of a new sign-in should not. */
async function presentGrant(provider: Provider, { client, userId, webSessionId }: Authorization) {
  const match = { client_id: client.clientId, user_id: userId, web_session_id: webSessionId }
  const [found] = await selectGrants(match)
  const grant = found && (await provider.Grant.find(found.grantId))
  const left = grant ? grant.exp * 1_000 - Date.now() : 0
  return left > tokens.refreshTtlMs / 2 ? grant : undefined
}

async function newGrant(
  provider: Provider,
  authorization: Authorization,
  browser: { webSessionId?: string }
) {
  const { client, userId } = authorization
  const session = await startSession(authorization)
  const exp = Math.floor(session.expiresAt / 1_000)
  const { clientId } = client
  return new provider.Grant({ jti: session.id, accountId: userId, clientId, ...browser, exp })
}

/** The session of the browser is read first: a transaction that waited for another connection could starve. */
async function startSession(authorization: Authorization) {
  const web = await findActiveSession(authorization.userId, authorization.webSessionId)
  if (!web) throw new errors.AccessDenied()
  return db.transaction(async (trx) => {
    const session = await newSession(authorization, web, trx)
    await addSession(session, trx)
    await record(authorization, session, trx)
    return session
  })
}

/** The row of the user is locked: whoever ends their sessions ends this one too, or comes before. */
async function newSession(
  authorization: Authorization,
  web: SessionRecord,
  trx: Transaction
): Promise<SessionRecord> {
  const { client, userId, webSessionId, ip } = authorization
  const user = await User.lockForUpdate(userId, trx)
  const browser = { userId, sessionId: webSessionId }
  const isAlive = await store.isSessionAlive(browser, Date.now(), trx)
  const isBarred = !user || user.isDisabled || user.isLocked()
  if (!isAlive || isBarred) throw new errors.AccessDenied()
  const userAgent = authorization.userAgent?.slice(0, USER_AGENT_MAX_LENGTH) ?? null
  const name = `${shortName(client)} · ${deviceName(userAgent)}`
  const device = { deviceName: name, ip, userAgent }
  const { method, amr, authenticatedAt } = web
  const proof = { method, amr, authenticatedAt }
  return newClientSession({ userId, clientId: client.clientId, ...device, ...proof })
}

/** Of a host the end says whose it is: a stranger may begin theirs with that of another. */
function shortName({ clientId, clientName }: Client) {
  if (!isDocumentUrl(clientId)) return clientName.slice(0, NAME_LENGTH)
  return clientName.length > NAME_LENGTH ? `…${clientName.slice(1 - NAME_LENGTH)}` : clientName
}

async function record(authorization: Authorization, session: SessionRecord, trx: Transaction) {
  const { client, userId, scopes } = authorization
  const details = { clientId: client.clientId, client: client.clientName, sessionId: session.id }
  const entry = { action: 'application.authorized', targetId: userId } as const
  const actor = userActor(userId, session)
  await recordAudit({ ...entry, actor, details: { ...details, scopes } }, trx)
}

async function withScopes(grant: Grant, { scopes, resources }: Request) {
  const identity: readonly string[] = IDENTITY_SCOPES
  grant.addOIDCScope(scopes.filter((scope) => identity.includes(scope)).join(' '))
  for (const resource of resources) grant.addResourceScope(resource, scopes.join(' '))
  await grant.save()
  return grant
}
