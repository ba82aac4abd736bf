import store from '#auth/store/service'
import type { SessionRecord } from '#auth/store/contract'

/**
 * The session, if it is active by the same rule as the tokens of the API: the store is asked
 * for the status of a token first, because only then does a Redis that came back with older
 * data learn that the session had ended, and a user who was disabled is refused.
 */
export async function findActiveSession(
  userId: string,
  sessionId: string,
  now = Date.now()
): Promise<SessionRecord | null> {
  const token = { userId, sessionId, tokenId: `${sessionId}.web` }
  const { isActive } = await store.tokenStatus(token, now)
  return isActive ? store.findSession(userId, sessionId, now) : null
}
