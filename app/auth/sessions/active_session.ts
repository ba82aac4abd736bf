import store from '#auth/store/service'
import type { SessionRecord } from '#auth/store/contract'

/** Also reads the token status, which tells a Redis with older data which sessions have ended. */
export async function findActiveSession(
  userId: string,
  sessionId: string,
  now = Date.now()
): Promise<SessionRecord | null> {
  const found = await findVersionedSession(userId, sessionId, now)
  return found && found.session
}

/** Returns the session with the version of its user. */
export function findVersionedSession(userId: string, sessionId: string, now = Date.now()) {
  return store.findActiveSession(webToken(userId, sessionId), now)
}

export async function isSessionActive(userId: string, sessionId: string, now = Date.now()) {
  const { isActive } = await store.tokenStatus(webToken(userId, sessionId), now)
  return isActive
}

function webToken(userId: string, sessionId: string) {
  return { userId, sessionId, tokenId: `${sessionId}.web` }
}
