import tokens from '#config/tokens'
import store from '#auth/store/service'
import { E_INVALID_REFRESH_TOKEN } from '#auth/errors'
import { findRecordAtVersion } from '#auth/accounts/records'
import { issueAccessToken } from './access_tokens.ts'
import { hashToken, verifyRefreshToken } from './refresh_tokens.ts'
import type { SessionRecord } from '#auth/store/contract'

export interface Refreshed {
  accessToken: string
  /** A successor, where rotation is on. */
  refreshToken?: string
}

/**
 * Exchanges a refresh token for an access token that carries the account's present
 * e-mail and role (RFC 6749, section 6).
 *
 * @throws E_INVALID_REFRESH_TOKEN whatever the reason: the caller is told nothing else
 */
export async function refreshAccess(refreshToken: string): Promise<Refreshed> {
  const claims = verifyRefreshToken(refreshToken)
  if (!claims) throw new E_INVALID_REFRESH_TOKEN()
  const now = Date.now()
  const { sub: userId, sessionId, jti: tokenId } = claims
  const [standing, session] = await Promise.all([
    store.standing({ userId, sessionId, tokenId }, now),
    store.findSession(userId, sessionId, now),
  ])
  const isAccepted = standing.isActive && session && accepts(session, refreshToken)
  if (!isAccepted) throw new E_INVALID_REFRESH_TOKEN()
  const account = await findRecordAtVersion(userId, standing.userVersion)
  if (!account || account.record.disabled) throw new E_INVALID_REFRESH_TOKEN()
  await touch(session, now)
  return { accessToken: issueAccessToken(account.record, session.id) }
}

/** Both sides are hashes of public length: comparing them tells nothing about the token. */
function accepts(session: SessionRecord, refreshToken: string) {
  return session.refreshHash === hashToken(refreshToken)
}

async function touch(session: SessionRecord, now: number) {
  if (now - session.lastActivityAt < tokens.touchIntervalMs) return
  await store.touchSession(session.userId, session.id, now)
}
