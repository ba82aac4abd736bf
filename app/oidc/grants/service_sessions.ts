import db from '@adonisjs/lucid/services/db'
import { errors, type Client, type Context } from 'oidc-provider'
import settings from '#config/oidc'
import User from '#models/user'
import store from '#auth/store/service'
import { clientActor, userActor } from '#audit/actor'
import { record } from '#events/record'
import { throttleServiceSessions } from '#auth/lockout/throttle'
import { addSharedSession } from '#auth/sessions/sessions'
import { findUserRecord } from '#transformers/user_record_cache'
import { newClientSession } from './client_session.ts'
import {
  findServiceSession,
  forgetServiceSession,
  rememberServiceSession,
} from './remembered_service_sessions.ts'
import { withSlowDown } from '#oidc/slow_down'
import { sourceOfRequest } from '#oidc/request_source'
import type { OwnMetadata } from '#oidc/clients/metadata'
import type { Transaction } from '#database/transaction'

interface Subject {
  user: Pick<User, 'id' | 'mailbox' | 'role'>
  sessionId: string
}

/** All tokens of a client share one session. @throws unauthorized_client; slow_down with 429 */
export async function serviceSubject(ctx: Context, client: Client) {
  const { serviceAccountId }: OwnMetadata = client.gatehouse
  if (!serviceAccountId) throw new errors.UnauthorizedClient('the client has no service account')
  const current = await currentSubject(serviceAccountId, client)
  if (current) return current
  const pass = () => passPace(client, serviceAccountId)
  const other = await withSlowDown(ctx, 'too many sessions of this client', pass)
  return other ?? startSubject(ctx, serviceAccountId, client)
}

/**
 * Runs before the transaction, because on SQLite the counter waits for the writer. If the throttle
 * refuses, a session may still exist: a change of the configuration empties the memory.
 */
async function passPace(client: Client, userId: string): Promise<Subject | null> {
  try {
    await throttleServiceSessions(client.clientId)
    return null
  } catch (error) {
    const session = await findCurrent(userId, client)
    if (session) await rememberServiceSession(session)
    const subject = session && (await currentSubject(userId, client))
    if (subject) return subject
    throw error
  }
}

async function findCurrent(userId: string, { clientId }: Client, trx?: Transaction) {
  const sessions = await store.listSessions(userId, tokensUntil(), trx)
  return sessions.find((session) => session.clientId === clientId)
}

/** Uses the session in memory. If there is none, `startOrFind` looks for it under the lock. */
async function currentSubject(userId: string, { clientId }: Client): Promise<Subject | null> {
  const owner = { userId, clientId }
  const found = await findServiceSession(owner, tokensUntil())
  if (!found) return null
  const { id: sessionId } = found
  const token = { userId, sessionId, tokenId: `${sessionId}.service` }
  const status = await store.tokenStatus(token, Date.now())
  if (status.isActive) return subjectOf(sessionId, { userId, ...status })
  forgetServiceSession(owner)
  return null
}

async function subjectOf(
  sessionId: string,
  { userId, userVersion }: { userId: string; userVersion: string }
): Promise<Subject | null> {
  const user = await findUserRecord(userId, userVersion)
  if (!user || user.record.lockedUntil !== null) return null
  const { email: mailbox, role } = user.record
  return { user: { id: userId, mailbox, role }, sessionId }
}

async function startSubject(
  ctx: Context,
  serviceAccountId: string,
  client: Client
): Promise<Subject> {
  const { user, session } = await db.transaction((trx) =>
    startOrFind(ctx, { serviceAccountId, client }, trx)
  )
  await rememberServiceSession(session)
  return { user, sessionId: session.id }
}

interface Start {
  serviceAccountId: string
  client: Client
}

async function startOrFind(ctx: Context, { serviceAccountId, client }: Start, trx: Transaction) {
  const user = await User.lockForUpdate(serviceAccountId, trx)
  if (!user || user.isDisabled || user.isLocked()) {
    throw new errors.UnauthorizedClient('the service account is disabled or locked')
  }
  const session = newSession(ctx, user, client)
  const until = tokensUntil()
  const isNew = await addSharedSession(
    session,
    { until, condition: isRegistered(user, client) },
    trx
  )
  if (!isNew) return { user, session: await getCurrentOrFail(user.id, client, trx) }
  const details = { clientId: client.clientId, client: client.clientName, sessionId: session.id }
  const actor = clientActor(client.clientId, userActor(user.id, session))
  await record(trx, { type: 'application.authorized', user, actor, details })
  return { user, session }
}

/** Read again under the lock of `endServiceSessions`, which would otherwise miss a new session. */
function isRegistered(user: User, { clientId }: Client) {
  const sql = `EXISTS (SELECT 1 FROM oauth_clients WHERE client_id = ? AND service_account_id = ?)`
  return { sql, bindings: [clientId, user.id] }
}

async function getCurrentOrFail(userId: string, client: Client, trx: Transaction) {
  const current = await findCurrent(userId, client, trx)
  if (current) return current
  throw new errors.UnauthorizedClient('the client has no service account')
}

function newSession(ctx: Context, user: User, client: Client) {
  return newClientSession({
    userId: user.id,
    clientId: client.clientId,
    deviceName: nameOf(client),
    ...sourceOfRequest(ctx.req),
    method: 'client_credentials',
    amr: [],
    authenticatedAt: Date.now(),
  })
}

const nameOf = (client: Client) => `${client.clientName.slice(0, 60)} · ${client.clientId}`

const tokensUntil = () => Date.now() + settings.accessSeconds * 1_000
