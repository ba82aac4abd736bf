import { randomUUID } from 'node:crypto'
import tokens from '#config/tokens'
import consoleSettings from '#config/console'
import store from '#auth/store/service'
import { hashToken } from '#auth/tokens/hash_token'
import { issueRefreshToken } from '#auth/tokens/refresh_tokens'
import { hashConsoleSecret, newConsoleSecret } from './web_session.ts'
import { type Device, deviceName } from './device.ts'
import type { SessionRecord } from '#auth/store/contract'
import type { Transaction } from '#database/transaction'

interface SessionOwner {
  id: string
  email: string
  role: string
}

export interface StartedSession {
  session: SessionRecord
  /** For the console, the secret of its cookie, which no route takes for a token. */
  refreshToken: string
}

/** Starts a session on a device and issues the refresh token or secret that belongs to it. */
export async function startSession(
  user: SessionOwner,
  device: Device,
  trx?: Transaction
): Promise<StartedSession> {
  const now = Date.now()
  const id = randomUUID()
  const isConsole = device.client === 'console'
  const refreshToken = isConsole ? newConsoleSecret() : issueRefreshToken(user, id)
  const session: SessionRecord = {
    id,
    userId: user.id,
    deviceId: device.id,
    deviceName: `${deviceName(device.userAgent)}${isConsole ? ' (console)' : ''}`,
    ip: device.ip,
    userAgent: device.userAgent,
    refreshHash: isConsole ? hashConsoleSecret(refreshToken) : hashToken(refreshToken),
    previousRefreshHash: null,
    rotatedAt: null,
    createdAt: now,
    lastActivityAt: now,
    expiresAt: now + (isConsole ? consoleSettings.lifetimeMs : tokens.refreshTtlMs),
  }
  await store.startSession(session, tokens.sessionLimit, trx)
  return { session, refreshToken }
}

/** Live sessions of a user, the most recently active first. */
export function listSessions(userId: string) {
  return store.listSessions(userId, Date.now())
}

/** Ends one session of the user; false when it was not theirs or had ended. */
export function endSession(userId: string, sessionId: string, trx?: Transaction) {
  return store.endSession(userId, sessionId, trx)
}

/** Ends every session of the user but `except`, and tells how many that were. */
export function endSessions(
  userId: string,
  { except = null, trx }: { except?: string | null; trx?: Transaction } = {}
) {
  return store.endSessions(userId, except, trx)
}
