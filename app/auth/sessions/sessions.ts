import limits from '#config/limits'
import { randomUUID } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import tokens from '#config/tokens'
import { lockUserRow } from '#auth/store/database/lock_user_row'
import store from '#auth/store/service'
import { issueRefreshToken } from '#auth/tokens/refresh_tokens'
import { noteEndedSessions } from '#events/ended_sessions'
import { record } from '#events/record'
import { countEndedSessions } from '#telemetry/ended_sessions'
import { newWebSecret } from './web_session.ts'
import { type Device, deviceName } from './device.ts'
import type { Authentication } from './authentication.ts'
import type {
  EndedSession,
  SessionRecord,
  SessionSelection,
  SharedStart,
} from '#auth/store/contract'
import type { TokenSubject } from '#auth/tokens/access_tokens'
import type { Transaction } from '#database/transaction'

export interface StartedSession {
  session: SessionRecord
  /** For pages, the secret of its cookie, which no route accepts as a token. */
  refreshToken: string
}

export interface SessionStart extends Authentication {
  device: Device
  /** In milliseconds; defaults to now. */
  authenticatedAt?: number
}

export async function startSession(
  user: TokenSubject,
  start: SessionStart,
  trx?: Transaction
): Promise<StartedSession> {
  const started = prepareSession(user, start)
  await addSession(started.session, trx)
  return started
}

/** Builds a session and its token, and stores nothing yet. */
export function prepareSession(
  user: TokenSubject,
  { device, method, amr, authenticatedAt }: SessionStart
): StartedSession {
  const id = randomUUID()
  const isWeb = device.client === 'web'
  const { refreshToken, refreshHash } = isWeb ? newWebSecret() : issueRefreshToken(user, id)
  const refresh = { refreshHash, previousRefreshHash: null, rotatedAt: null }
  const times = timesFromNow()
  const how = { method, amr, ...times, authenticatedAt: authenticatedAt ?? times.createdAt }
  const who = { userId: user.id, clientId: null, ...columnsOf(device) }
  const session: SessionRecord = { id, ...who, ...refresh, ...how }
  return { session, refreshToken }
}

export async function addSession(session: SessionRecord, trx?: Transaction): Promise<void> {
  if (!trx) return addAlone(session)
  const ended = await store.startSession(session, limits.sessions, trx)
  await recordEnds(session.userId, ended, trx)
}

/** The caller has locked the user. @returns false if the session did not start (`SharedStart`) */
export async function addSharedSession(
  session: SessionRecord,
  start: Omit<SharedStart, 'limit'>,
  trx: Transaction
) {
  const ended = await store.startSharedSession(session, { limit: limits.sessions, ...start }, trx)
  if (ended) await recordEnds(session.userId, ended, trx)
  return ended !== null
}

function addAlone(session: SessionRecord) {
  return db.transaction(async (trx) => {
    await lockUserRow(session.userId, trx)
    await addSession(session, trx)
  })
}

function columnsOf({ id: deviceId, ip, userAgent }: Device) {
  return { deviceId, deviceName: deviceName(userAgent), ip, userAgent }
}

function timesFromNow() {
  const now = Date.now()
  const expiresAt = now + tokens.refreshTtlMs
  return { createdAt: now, lastActivityAt: now, expiresAt }
}

export function listSessions(userId: string, trx?: Transaction) {
  return store.listSessions(userId, Date.now(), trx)
}

/** Returns false for a session of another user, or one that had ended. */
export async function endSession(userId: string, sessionId: string, trx?: Transaction) {
  return within(trx, async (own) => {
    const ended = await store.endSession(userId, sessionId, own)
    if (ended) await recordEnds(userId, [ended], own)
    return ended !== null
  })
}

function within<Result>(trx: Transaction | undefined, work: (trx: Transaction) => Promise<Result>) {
  return trx ? work(trx) : db.transaction(work)
}

export async function endSessions(
  userId: string,
  { trx, ...which }: SessionSelection & { trx?: Transaction } = {}
) {
  return within(trx, async (own) => {
    const ended = await store.endSessions(userId, which, own)
    await recordEnds(userId, ended, own)
    return ended.length
  })
}

// Applications are told about each end of a session except its expiry, which they know.
async function recordEnds(userId: string, ended: EndedSession[], trx: Transaction) {
  countEndedSessions(ended.length, trx)
  const now = Date.now()
  const ids = ended.map(({ id }) => id)
  noteEndedSessions(ids, trx)
  const sessions = ended.flatMap(({ id, clientId, expiresAt }) =>
    clientId !== null && expiresAt > now ? [{ id, clientId }] : []
  )
  if (sessions.length === 0) return
  await record(trx, { type: 'client_sessions.ended', user: { id: userId }, context: { sessions } })
}
