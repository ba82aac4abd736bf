import db from '@adonisjs/lucid/services/db'
import tokens from '#config/tokens'
import store from '#auth/store/service'
import { E_INVALID_REFRESH_TOKEN } from '#auth/errors'
import { findUserRecord } from '#auth/user_record_cache'
import { endSession } from '#auth/sessions/sessions'
import { anonymousActor } from '#audit/actor'
import { recordAudit } from '#audit/trail'
import { queueMail } from '#mails/queue_mail'
import { issueAccessToken } from './access_tokens.ts'
import { hashToken } from './hash_token.ts'
import { issueSuccessor, verifyRefreshToken } from './refresh_tokens.ts'
import type { Origin } from '#auth/sessions/device'
import type { SessionRecord } from '#auth/store/contract'

export interface Refreshed {
  accessToken: string
  /** The successor, if rotation is on. */
  refreshToken?: string
}

/**
 * Exchanges a refresh token for an access token with the current e-mail address and role of
 * the user (RFC 6749, section 6).
 *
 * @param from reads the origin of the request, only where the trail records an event
 * @throws E_INVALID_REFRESH_TOKEN for every reason, so that an attacker learns none
 */
export async function refreshAccess(refreshToken: string, from: () => Origin): Promise<Refreshed> {
  const claims = verifyRefreshToken(refreshToken)
  if (!claims) throw new E_INVALID_REFRESH_TOKEN()
  const now = Date.now()
  const { sub: userId, sessionId, jti: tokenId } = claims
  const [tokenStatus, session] = await Promise.all([
    store.tokenStatus({ userId, sessionId, tokenId }, now),
    store.findSession(userId, sessionId, now),
  ])
  if (!tokenStatus.isActive || !session) throw new E_INVALID_REFRESH_TOKEN()
  const cached = await findUserRecord(userId, tokenStatus.userVersion)
  if (!cached || cached.record.disabled) throw new E_INVALID_REFRESH_TOKEN()
  const { email } = cached.record
  const successor = await acceptToken({ refreshToken, session, email, from, now })
  await touchSession(session, now)
  return { accessToken: issueAccessToken(cached.record, session.id), ...successor }
}

interface PresentedToken {
  refreshToken: string
  session: SessionRecord
  email: string
  from: () => Origin
  now: number
}

/** Hashes are compared in variable time: an attacker cannot choose the hash of a token. */
async function acceptToken(presented: PresentedToken): Promise<{ refreshToken?: string }> {
  const { session, refreshToken } = presented
  const isCurrent = session.refreshHash === hashToken(refreshToken)
  if (tokens.isRotating) return { refreshToken: await rotateToken(presented, isCurrent) }
  if (!isCurrent) throw new E_INVALID_REFRESH_TOKEN()
  return {}
}

/**
 * Replaces the token by its successor (RFC 9700, section 4.14.2). Several requests with one
 * token at once, on any number of processes, all get the same successor: it is derived from
 * the token and the time of the first exchange, which the session stores.
 */
async function rotateToken(presented: PresentedToken, isCurrent: boolean) {
  const { session, refreshToken, now } = presented
  if (!isCurrent) return repeatRotation(presented)
  const next = issueSuccessor(refreshToken, session, now)
  const key = { userId: session.userId, sessionId: session.id }
  const rotation = { current: session.refreshHash, next: hashToken(next), at: now }
  if (await store.rotateRefresh(key, rotation)) return next
  const rotated = await store.findSession(session.userId, session.id, now)
  if (!rotated) throw new E_INVALID_REFRESH_TOKEN()
  return repeatRotation({ ...presented, session: rotated })
}

/**
 * Answers a token that was replaced: with its successor during the grace period, because
 * responses get lost, and after it as reuse.
 */
async function repeatRotation(presented: PresentedToken) {
  const { session, refreshToken, now } = presented
  const isPrevious = session.previousRefreshHash === hashToken(refreshToken)
  const isInGracePeriod = now - (session.rotatedAt ?? 0) <= tokens.rotationGraceMs
  if (isPrevious && isInGracePeriod)
    return issueSuccessor(refreshToken, session, session.rotatedAt!)
  await endReusedSession(presented)
  throw new E_INVALID_REFRESH_TOKEN()
}

/** Ends the session: a reused token was copied, and the server cannot tell the user from the attacker. */
async function endReusedSession({ session, email, from }: PresentedToken) {
  const { userId, id: sessionId, deviceName } = session
  await db.transaction(async (trx) => {
    if (!(await endSession(userId, sessionId, trx))) return
    const contents = { deviceName }
    await queueMail({ kind: 'refresh_reused', recipient: email, userId, contents }, trx)
    const details = { sessionId, deviceName }
    const actor = anonymousActor(from())
    const entry = { action: 'refresh.reused', outcome: 'failure', actor } as const
    await recordAudit({ ...entry, targetId: userId, details }, trx)
  })
}

async function touchSession(session: SessionRecord, now: number) {
  if (now - session.lastActivityAt < tokens.touchIntervalMs) return
  await store.touchSession(session.userId, session.id, now)
}
