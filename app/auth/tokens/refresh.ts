import tokens from '#config/tokens'
import store from '#auth/store/service'
import { E_EMAIL_UNVERIFIED, E_INVALID_REFRESH_TOKEN } from '#auth/errors'
import { isDependencyDown } from '#exceptions/dependency_failures'
import { count } from '#telemetry/counters'
import { findUserRecord } from '#transformers/user_record_cache'
import { lacksVerifiedEmail } from '#models/verified_email'
import { hashRefreshId, verifyRefreshToken } from './refresh_tokens.ts'
import { rotateToken, type PresentedToken } from './rotation.ts'
import { issueSessionToken } from './session_token.ts'
import type { RequestSource } from '#auth/sessions/device'
import type { UserRecord } from '#transformers/user_transformer'
import type { SessionRecord } from '#auth/store/contract'

export interface Refreshed {
  accessToken: string
  refreshToken?: string
}

/**
 * Reads the request source from `from` only for an event (RFC 6749, section 6).
 * @throws E_EMAIL_UNVERIFIED as a login does; E_INVALID_REFRESH_TOKEN hides every other reason
 */
export async function refreshAccess(
  refreshToken: string,
  from: () => RequestSource
): Promise<Refreshed> {
  try {
    const refreshed = await refresh(refreshToken, from)
    count('gatehouse_refreshes_total', { outcome: 'success' })
    return refreshed
  } catch (error) {
    count('gatehouse_refreshes_total', { outcome: outcomeOf(error) })
    throw error
  }
}

function outcomeOf(error: unknown) {
  if (error instanceof E_INVALID_REFRESH_TOKEN) return 'invalid'
  if (error instanceof E_EMAIL_UNVERIFIED) return 'unverified'
  return isDependencyDown(error) ? 'unavailable' : 'other'
}

async function refresh(refreshToken: string, from: () => RequestSource): Promise<Refreshed> {
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
  if (lacksVerifiedEmail(cached.record.emailVerified)) throw new E_EMAIL_UNVERIFIED()
  const user = subjectOf(cached.record)
  const successor = await acceptToken({ tokenId, session, user, from, now })
  await touchSession(session, now)
  const accessToken = await issueSessionToken(user, session, cached.claimInputs)
  return { accessToken, ...successor }
}

function subjectOf({ id, email, role }: UserRecord) {
  if (!email) throw new E_INVALID_REFRESH_TOKEN()
  return { id, email, role }
}

// A comparison of hashes in variable time is safe: it tells an attacker nothing about the token.
async function acceptToken(presented: PresentedToken): Promise<{ refreshToken?: string }> {
  const isCurrent = presented.session.refreshHash === hashRefreshId(presented.tokenId)
  if (tokens.isRotating) return { refreshToken: await rotateToken(presented, isCurrent) }
  if (!isCurrent) throw new E_INVALID_REFRESH_TOKEN()
  return {}
}

async function touchSession(session: SessionRecord, now: number) {
  if (now - session.lastActivityAt < tokens.touchIntervalMs) return
  await store.touchSession(session.userId, session.id, now)
}
