import db from '@adonisjs/lucid/services/db'
import tokens from '#config/tokens'
import store from '#auth/store/service'
import { E_INVALID_REFRESH_TOKEN } from '#auth/errors'
import { endReusedSession } from './reuse.ts'
import { hashRefreshId, issueSuccessor } from './refresh_tokens.ts'
import type { RequestSource } from '#auth/sessions/device'
import type { SessionRecord } from '#auth/store/contract'
import type { TokenSubject } from './access_tokens.ts'

export interface PresentedToken {
  tokenId: string
  session: SessionRecord
  user: TokenSubject
  from: () => RequestSource
  now: number
}

/** Derives `jti` and time, so that parallel requests get the same successor (RFC 9700, 4.14.2). */
export async function rotateToken(presented: PresentedToken, isCurrent: boolean) {
  const { session, now } = presented
  if (!isCurrent) return repeatRotation(presented)
  const { refreshToken, refreshHash } = successorOf(presented, now)
  const key = { userId: session.userId, sessionId: session.id }
  const rotation = { current: session.refreshHash, next: refreshHash, at: now }
  if (await store.rotateRefresh(key, rotation)) return refreshToken
  const rotated = await store.findSession(session.userId, session.id, now)
  if (!rotated) throw new E_INVALID_REFRESH_TOKEN()
  return repeatRotation({ ...presented, session: rotated })
}

function successorOf({ tokenId, session, user }: PresentedToken, at: number) {
  const { id: sessionId, expiresAt } = session
  return issueSuccessor({ jti: tokenId }, user, { sessionId, at, expiresAt })
}

// A response may get lost: a repeat in the grace period gets the successor, a later one is reuse.
async function repeatRotation(presented: PresentedToken) {
  const { session, tokenId, user, from, now } = presented
  const isPrevious = session.previousRefreshHash === hashRefreshId(tokenId)
  const isInGracePeriod = now - (session.rotatedAt ?? 0) <= tokens.rotationGraceMs
  if (isPrevious && isInGracePeriod) return successorOf(presented, session.rotatedAt!).refreshToken
  const reuse = { action: 'refresh.reused', session, recipient: user.email, from: from() } as const
  await db.transaction((trx) => endReusedSession(reuse, trx))
  throw new E_INVALID_REFRESH_TOKEN()
}
