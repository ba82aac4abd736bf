/*
 | Every key of a user carries the hash tag `{userId}` and every key of attempts the tag
 | `{countKey}`, so that all keys of a script are in one slot of a cluster.
 */

/** The keys of most scripts: the index of the user's sessions and the hash of one of them. */
export function sessionKeys(userId: string, sessionId: string) {
  return [sessionIndexKey(userId), sessionKey(userId, sessionId)]
}

/** Hash: one session and the tokens that were revoked in it. */
export function sessionKey(userId: string, sessionId: string) {
  return sessionKeyPrefix(userId) + sessionId
}

export function sessionKeyPrefix(userId: string) {
  return `gatehouse:{${userId}}:session:`
}

/** Sorted set: the ids of a user's sessions by the time at which they started. */
export function sessionIndexKey(userId: string) {
  return `gatehouse:{${userId}}:sessions`
}

/** String: the lease of a user (`user_lease.ts`). */
export function leaseKey(userId: string) {
  return `gatehouse:{${userId}}:user`
}

/** Hash: the attempts of a window, of an e-mail, a known device or a user's codes, and their lock. */
export function attemptsKey(countKey: string) {
  return `gatehouse:{${countKey}}:attempts`
}

/** Patterns that match the sessions and the indexes of all users. */
export const ALL_SESSIONS = 'gatehouse:{*}:session:*'
export const ALL_SESSION_INDEXES = 'gatehouse:{*}:sessions'

/** The user id in the key of a session or index. */
export function userIdOf(key: string) {
  return key.slice(key.indexOf('{') + 1, key.indexOf('}'))
}

/** The session id in the key of a session. */
export function sessionIdOf(key: string) {
  return key.slice(key.lastIndexOf(':') + 1)
}
