import { randomBytes } from 'node:crypto'
import { validate as isUuid } from 'uuid'
import settings from '#config/console'
import tokens from '#config/tokens'
import User from '#models/user'
import store from '#auth/store/service'
import { hashToken } from '#auth/tokens/hash_token'
import type { SessionRecord } from '#auth/store/contract'

/*
 | A sign-in to the console is a session like any other: listed, ended and bounded with
 | the rest. Instead of tokens its client holds a cookie of user, session and secret.
 */

export interface WebCaller {
  user: User
  session: SessionRecord
}

/** Why nobody is signed in, where it is worth telling. */
export type WebSessionStatus =
  ({ outcome: 'signed_in' } & WebCaller) | { outcome: 'signed_out' } | { outcome: 'expired' }

const SECRET = /^[\w-]{43}$/

export function newConsoleSecret() {
  return randomBytes(32).toString('base64url')
}

/** Prefixed, so that neither a refresh token passes as a cookie nor a cookie as one. */
export function hashConsoleSecret(secret: string) {
  return hashToken(`console:${secret}`)
}

export function consoleCookie({ userId, id }: SessionRecord, secret: string) {
  return `${userId}.${id}.${secret}`
}

/** Who a cookie stands for at this moment; the role is read anew each time. */
export async function findWebCaller(cookie: string, now = Date.now()): Promise<WebSessionStatus> {
  const [userId, sessionId, secret, ...rest] = cookie.split('.')
  const isShaped = isUuid(userId) && isUuid(sessionId) && SECRET.test(secret) && rest.length === 0
  if (!isShaped) return { outcome: 'signed_out' }
  const session = await store.findSession(userId, sessionId, now)
  if (session?.refreshHash !== hashConsoleSecret(secret)) return { outcome: 'expired' }
  if (now - session.lastActivityAt > settings.idleMs) {
    await store.endSession(userId, sessionId)
    return { outcome: 'expired' }
  }
  const user = await User.find(userId)
  if (!user?.isAdmin || user.isDisabled) return { outcome: 'expired' }
  if (now - session.lastActivityAt > tokens.touchIntervalMs) {
    await store.touchSession(userId, sessionId, now)
  }
  return { outcome: 'signed_in', user, session }
}
