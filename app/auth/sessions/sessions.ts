import { randomUUID } from 'node:crypto'
import tokens from '#config/tokens'
import consoleSettings from '#config/console'
import store from '#auth/store/service'
import { issueRefreshToken } from '#auth/tokens/refresh_tokens'
import { newConsoleSecret } from './web_session.ts'
import { type Device, deviceName } from './device.ts'
import type { Authentication } from './authentication.ts'
import type { SessionRecord } from '#auth/store/contract'
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
  const now = Date.now()
  const id = randomUUID()
  const isConsole = device.client === 'console'
  const { refreshToken, refreshHash } = isConsole ? newConsoleSecret() : issueRefreshToken(user, id)
  const session: SessionRecord = {
    id,
    userId: user.id,
    deviceId: device.id,
    deviceName: `${deviceName(device.userAgent)}${isConsole ? ' (console)' : ''}`,
    ip: device.ip,
    userAgent: device.userAgent,
    refreshHash,
    previousRefreshHash: null,
    rotatedAt: null,
    method,
    amr,
    authenticatedAt: now,
    createdAt: now,
    lastActivityAt: now,
    expiresAt: now + (isConsole ? consoleSettings.lifetimeMs : tokens.refreshTtlMs),
  }
  await store.startSession(session, tokens.sessionLimit, trx)
  return { session, refreshToken }
}

/** The live sessions of a user, the most recently active first. */
export function listSessions(userId: string) {
  return store.listSessions(userId, Date.now())
}

/** Ends one session of the user. False if it is not theirs or had ended. */
export function endSession(userId: string, sessionId: string, trx?: Transaction) {
  return store.endSession(userId, sessionId, trx)
}

/** Ends every session of the user except one, and returns how many ended. */
export function endSessions(
  userId: string,
  { except = null, trx }: { except?: string | null; trx?: Transaction } = {}
) {
  return store.endSessions(userId, except, trx)
}
