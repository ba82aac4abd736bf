import { randomBytes } from 'node:crypto'
import { validate as isUuid } from 'uuid'
import settings from '#config/console'
import tokens from '#config/tokens'
import User from '#models/user'
import store from '#auth/store/service'
import { hashToken } from '#auth/tokens/hash_token'
import { findActiveSession } from './active_session.ts'
import { recentFactors, suffice } from './authentication.ts'
import type { SessionRecord } from '#auth/store/contract'

/*
 | A sign-in to the console is a session like any other: it is listed, ended and limited
 | with the others. Its client holds no tokens but a cookie of user, session and secret.
 */

/** An administrator who is signed in to the console. */
export interface WebCaller {
  user: User
  session: SessionRecord
  /** Whether the administrator proved who they are within the last minutes. */
  hasRecentProof: boolean
}

/** The form of `newConsoleSecret`; any other text is refused before the store is asked. */
const SECRET = /^[\w-]{43}$/

/** 256 random bits: an attacker cannot guess the secret of a session. */
export function newConsoleSecret() {
  const secret = randomBytes(32).toString('base64url')
  return { refreshToken: secret, refreshHash: hashConsoleSecret(secret) }
}

/** The prefix keeps a refresh token from passing as a cookie, and a cookie as a refresh token. */
function hashConsoleSecret(secret: string) {
  return hashToken(`console:${secret}`)
}

export function consoleCookie({ userId, id }: SessionRecord, secret: string) {
  return `${userId}.${id}.${secret}`
}

/** The administrator and the session that a cookie names; the role is read anew each time. */
export async function findWebCaller(cookie: string, now = Date.now()): Promise<WebCaller | null> {
  const session = await findWebSession(cookie, now)
  if (!session) return null
  const user = await User.find(session.userId)
  if (!user?.isAdmin || user.isDisabled) return null
  if (now - session.lastActivityAt > tokens.touchIntervalMs) {
    await store.touchSession(session.userId, session.id, now)
  }
  return { user, session, hasRecentProof: suffice(await recentFactors(session), user) }
}

/** The session that a cookie names; one without activity for too long is ended. */
async function findWebSession(cookie: string, now: number): Promise<SessionRecord | null> {
  const [userId, sessionId, secret, ...rest] = cookie.split('.')
  const isShaped = isUuid(userId) && isUuid(sessionId) && SECRET.test(secret) && rest.length === 0
  if (!isShaped) return null
  const session = await findActiveSession(userId, sessionId, now)
  if (session?.refreshHash !== hashConsoleSecret(secret)) return null
  if (now - session.lastActivityAt <= settings.idleMs) return session
  await store.endSession(userId, sessionId)
  return null
}
