import store from '#auth/store/service'
import type { SessionRecord } from '#auth/store/contract'

/** Asks for the token status first, which tells a Redis with older data what has ended. */
export async function findActiveSession(
  userId: string,
  sessionId: string,
  now = Date.now()
): Promise<SessionRecord | null> {
  const isActive = await isSessionActive(userId, sessionId, now)
  return isActive ? store.findSession(userId, sessionId, now) : null
}

export async function isSessionActive(userId: string, sessionId: string, now = Date.now()) {
  const token = { userId, sessionId, tokenId: `${sessionId}.web` }
  const { isActive } = await store.tokenStatus(token, now)
  return isActive
}
