import store from '#auth/store/service'
import type { SessionRecord } from '#auth/store/contract'

/** Asks for the token status as well, which tells a Redis with older data what has ended. */
export async function findActiveSession(
  userId: string,
  sessionId: string,
  now = Date.now()
): Promise<SessionRecord | null> {
  const found = await findVersionedSession(userId, sessionId, now)
  return found && found.session
}

/** With the version of its user. */
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
