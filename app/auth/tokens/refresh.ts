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
import type { SessionRecord } from '#auth/store/contract'

export interface Refreshed {
  accessToken: string
  /** A successor, where rotation is on. */
  refreshToken?: string
}

/** Asked only when there is something to tell. */
type Origin = () => { ip: string; userAgent: string | null }

/**
 * Exchanges a refresh token for an access token that carries the user's present
 * e-mail and role (RFC 6749, section 6).
 *
 * @param from who asks, for the trail
 * @throws E_INVALID_REFRESH_TOKEN whatever the reason: the caller is told nothing else
 */
export async function refreshAccess(refreshToken: string, from: Origin): Promise<Refreshed> {
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
  const successor = await accept({ refreshToken, session, email: cached.record.email, from, now })
  await touch(session, now)
  return { accessToken: issueAccessToken(cached.record, session.id), ...successor }
}

interface PresentedToken {
  refreshToken: string
  session: SessionRecord
  email: string
  from: Origin
  now: number
}

/** Both sides are hashes of public length: comparing them tells nothing about the token. */
async function accept(presented: PresentedToken): Promise<{ refreshToken?: string }> {
  const { session, refreshToken } = presented
  const isCurrent = session.refreshHash === hashToken(refreshToken)
  if (tokens.isRotating) return { refreshToken: await rotate(presented, isCurrent) }
  if (!isCurrent) throw new E_INVALID_REFRESH_TOKEN()
  return {}
}

/**
 * Replaces the token by its successor (RFC 9700, section 4.14.2). Of several who present
 * it at once, on any number of processes, all get the same one: it follows from the token
 * and the moment of the first exchange, which the session remembers.
 */
async function rotate(presented: PresentedToken, isCurrent: boolean) {
  const { session, refreshToken, now } = presented
  if (!isCurrent) return repeat(presented)
  const next = issueSuccessor(refreshToken, session, now)
  const key = { userId: session.userId, sessionId: session.id }
  const rotation = { current: session.refreshHash, next: hashToken(next), at: now }
  if (await store.rotateRefresh(key, rotation)) return next
  const rotated = await store.findSession(session.userId, session.id, now)
  if (!rotated) throw new E_INVALID_REFRESH_TOKEN()
  return repeat({ ...presented, session: rotated })
}

/** The answer to a token that was replaced: its successor for a moment, because answers get lost. */
async function repeat(presented: PresentedToken) {
  const { session, refreshToken, now } = presented
  const isPrevious = session.previousRefreshHash === hashToken(refreshToken)
  const isFresh = now - (session.rotatedAt ?? 0) <= tokens.rotationGraceMs
  if (isPrevious && isFresh) return issueSuccessor(refreshToken, session, session.rotatedAt!)
  await endReused(presented)
  throw new E_INVALID_REFRESH_TOKEN()
}

/** Somebody has a copy, and nobody knows which of the two is the owner: the session ends for both. */
async function endReused({ session, email, from }: PresentedToken) {
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

async function touch(session: SessionRecord, now: number) {
  if (now - session.lastActivityAt < tokens.touchIntervalMs) return
  await store.touchSession(session.userId, session.id, now)
}
