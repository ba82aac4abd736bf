import { randomUUID } from 'node:crypto'
import tokens from '#config/tokens'
import consoleSettings from '#config/console'
import store from '#auth/store/service'
import { issueRefreshToken } from '#auth/tokens/refresh_tokens'
import { newConsoleSecret } from './web_session.ts'
import { type Device, deviceName } from './device.ts'
import type { Authentication } from './authentication.ts'
import type { SessionRecord, SessionSelection } from '#auth/store/contract'
import type { TokenSubject } from '#auth/tokens/access_tokens'
import type { Transaction } from '#database/transaction'

export interface StartedSession {
  session: SessionRecord
  /** For the console, the secret of its cookie, which no route accepts as a token. */
  refreshToken: string
}

/** Where a sign-in came from, and what it proved. */
export interface SessionStart extends Authentication {
  device: Device
}

/** Starts a session on a device and issues its refresh token, or the secret of its cookie. */
export async function startSession(
  user: TokenSubject,
  { device, method, amr }: SessionStart,
  trx?: Transaction
): Promise<StartedSession> {
  const id = randomUUID()
  const isConsole = device.client === 'console'
  const { refreshToken, refreshHash } = isConsole ? newConsoleSecret() : issueRefreshToken(user, id)
  const refresh = { refreshHash, previousRefreshHash: null, rotatedAt: null }
  const times = timesOf(isConsole ? consoleSettings.lifetimeMs : tokens.refreshTtlMs)
  const on = columnsOf(device)
  const session: SessionRecord = { id, userId: user.id, ...on, ...refresh, method, amr, ...times }
  await store.startSession(session, tokens.sessionLimit, trx)
  return { session, refreshToken }
}

function columnsOf({ id: deviceId, ip, userAgent, client }: Device) {
  const name = `${deviceName(userAgent)}${client === 'console' ? ' (console)' : ''}`
  return { deviceId, deviceName: name, ip, userAgent }
}

function timesOf(lifetimeMs: number) {
  const now = Date.now()
  return { authenticatedAt: now, createdAt: now, lastActivityAt: now, expiresAt: now + lifetimeMs }
}

/** The live sessions of a user, the most recently active first. */
export function listSessions(userId: string, trx?: Transaction) {
  return store.listSessions(userId, Date.now(), trx)
}

/** Ends one session of the user. False if it is not theirs or had ended. */
export function endSession(userId: string, sessionId: string, trx?: Transaction) {
  return store.endSession(userId, sessionId, trx)
}

/** Ends the sessions of the user, or those selected, and returns how many ended. */
export function endSessions(
  userId: string,
  { trx, ...which }: SessionSelection & { trx?: Transaction } = {}
) {
  return store.endSessions(userId, which, trx)
}
