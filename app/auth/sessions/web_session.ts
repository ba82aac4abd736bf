import { randomBytes } from 'node:crypto'
import { validate as isUuid } from 'uuid'
import tokens from '#config/tokens'
import { coversAllFactors } from './required_factors.ts'
import User from '#models/user'
import store from '#auth/store/service'
import { hashToken } from '#auth/tokens/hash_token'
import { lacksVerifiedEmail } from '#models/verified_email'
import { findVersionedSession } from './active_session.ts'
import { recentFactors } from './authentication.ts'
import { canonicalId } from '#database/canonical_id'
import type { ActiveSession, SessionRecord } from '#auth/store/contract'

// A sign-in to the pages is a session like any other; its client holds a cookie and no tokens.

export interface WebCaller {
  user: User
  session: SessionRecord
  hasRecentAuthentication: boolean
}

const SECRET = /^[\w-]{43}$/

/** Returns 256 random bits: an attacker cannot guess the secret of a session. */
export function newWebSecret() {
  const secret = randomBytes(32).toString('base64url')
  return { refreshToken: secret, refreshHash: hashWebSecret(secret) }
}

// The prefix keeps a refresh token from passing as a cookie, and a cookie as a refresh token.
function hashWebSecret(secret: string) {
  return hashToken(`web:${secret}`)
}

export function webCookie({ userId, id }: SessionRecord, secret: string) {
  return `${userId}.${id}.${secret}`
}

type FindUser = (id: string, version: string) => Promise<User | null>

/** @param findUser by default reads the record, which a caller may then change */
export async function findWebCaller(
  cookie: string,
  now = Date.now(),
  findUser: FindUser = (id) => User.find(id)
): Promise<WebCaller | null> {
  const found = await findWebSession(cookie, now)
  if (!found) return null
  const { session, userVersion } = found
  const user = await findUser(session.userId, userVersion)
  if (!user || user.isDisabled || lacksVerifiedEmail(user.isEmailVerified)) return null
  if (now - session.lastActivityAt > tokens.touchIntervalMs) {
    await store.touchSession(session.userId, session.id, now)
  }
  return {
    user,
    session,
    hasRecentAuthentication: coversAllFactors(await recentFactors(session), user),
  }
}

/** Ignores the state of the user, so that a session that opens no page can still be ended. */
export async function findWebSession(cookie: string, now: number): Promise<ActiveSession | null> {
  const [userId, sessionId, secret, ...rest] = cookie.split('.').map(canonicalId)
  const isShaped = isUuid(userId) && isUuid(sessionId) && SECRET.test(secret) && rest.length === 0
  if (!isShaped) return null
  const found = await findVersionedSession(userId, sessionId, now)
  return found?.session.refreshHash === hashWebSecret(secret) ? found : null
}
