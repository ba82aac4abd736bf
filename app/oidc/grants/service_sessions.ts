import db from '@adonisjs/lucid/services/db'
import { errors, type Client, type Context } from 'oidc-provider'
import settings from '#config/oidc'
import User from '#models/user'
import store from '#auth/store/service'
import { clientActor, userActor } from '#audit/actor'
import { record } from '#events/record'
import { throttleServiceSessions } from '#auth/lockout/throttle'
import { addSession } from '#auth/sessions/sessions'
import { Remembered } from '#database/configuration_version'
import { findUserRecord } from '#transformers/user_record_cache'
import { findClient } from '#oidc/clients/client_rows'
import { newClientSession } from './client_session.ts'
import { slowDown } from '#oidc/slow_down'
import { sourceOfRequest } from '#oidc/request_source'
import type { OwnMetadata } from '#oidc/clients/metadata'
import type { SessionRecord } from '#auth/store/contract'
import type { Transaction } from '#database/transaction'

interface Subject {
  user: Pick<User, 'id' | 'mailbox' | 'role'>
  sessionId: string
}

/** All tokens of a client share one session. @throws unauthorized_client; slow_down with 429 */
export async function serviceSubject(ctx: Context, client: Client) {
  const { serviceAccountId }: OwnMetadata = client.gatehouse
  if (!serviceAccountId) throw new errors.UnauthorizedClient('the client has no service account')
  const { subject, hasSession } = await currentSubject(serviceAccountId, client)
  if (subject) return subject
  if (!hasSession) await assertPace(ctx, client)
  return startSubject(ctx, serviceAccountId, client)
}

interface Current {
  /** Null for the first token, and for an account that may have none. */
  subject: Subject | null
  hasSession: boolean
}

const sessions = new Remembered<SessionRecord>({ max: 1_000 })

async function currentSubject(userId: string, client: Client): Promise<Current> {
  const key = `${userId} ${client.clientId}`
  const isLongEnough = ({ expiresAt }: SessionRecord) => expiresAt > tokensUntil()
  const found = await sessions.find(key, () => currentSession(userId, client), isLongEnough)
  if (!found) return { subject: null, hasSession: false }
  const { id: sessionId } = found
  const token = { userId, sessionId, tokenId: `${sessionId}.service` }
  const status = await store.tokenStatus(token, Date.now())
  if (status.isActive) {
    return { subject: await subjectOf(sessionId, { userId, ...status }), hasSession: true }
  }
  sessions.forget(key)
  // The session in memory has ended, and another process may have started one.
  return { subject: null, hasSession: (await currentSession(userId, client)) !== null }
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

function startSubject(ctx: Context, serviceAccountId: string, client: Client): Promise<Subject> {
  return db.transaction(async (trx) => {
    const user = await User.lockForUpdate(serviceAccountId, trx)
    if (!user || user.isDisabled || user.isLocked()) {
      throw new errors.UnauthorizedClient('the service account is disabled or locked')
    }
    const current = await currentSession(user.id, client, trx)
    if (current) return { user, sessionId: current.id }
    await assertRegistered(user, client, trx)
    return { user, sessionId: await startSession(ctx, { user, client }, trx) }
  })
}

/** Before the transaction: on SQLite the counter waits for the writer. */
function assertPace(ctx: Context, { clientId }: Client) {
  const count = () => throttleServiceSessions(clientId)
  return slowDown(ctx, 'too many sessions of this client', count)
}

const nameOf = (client: Client) => `${client.clientName.slice(0, 60)} · ${client.clientId}`

const tokensUntil = () => Date.now() + settings.accessSeconds * 1_000

async function currentSession(userId: string, client: Client, trx?: Transaction) {
  const found = await store.listSessions(userId, tokensUntil(), trx)
  return found.find(({ clientId }) => clientId === client.clientId) ?? null
}

/** Read again under the lock of `endServiceSessions`, which would miss a new session. */
async function assertRegistered(user: User, { clientId }: Client, trx: Transaction) {
  const client = await findClient(clientId, trx)
  if (client?.serviceAccountId === user.id) return
  throw new errors.UnauthorizedClient('the client has no service account')
}

async function startSession(
  ctx: Context,
  { user, client }: { user: User; client: Client },
  trx: Transaction
) {
  const session = newClientSession({
    userId: user.id,
    clientId: client.clientId,
    deviceName: nameOf(client),
    ...sourceOfRequest(ctx.req),
    method: 'client_credentials',
    amr: [],
    authenticatedAt: Date.now(),
  })
  await addSession(session, trx)
  const details = { clientId: client.clientId, client: client.clientName, sessionId: session.id }
  const actor = clientActor(client.clientId, userActor(user.id, session))
  await record(trx, { type: 'application.authorized', user, actor, details })
  return session.id
}
