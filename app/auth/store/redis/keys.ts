// The hash tag `{userId}` or `{countKey}` puts all keys of a script in one slot of a cluster.

/** Returns the keys of the user's session index and of the hash of one session. */
export function sessionKeys(userId: string, sessionId: string) {
  return [sessionIndexKey(userId), sessionKey(userId, sessionId)]
}

/** The ids of sessions, by user. */
export type EndedSessions = Map<string, Set<string>>

/** For `end_sessions.lua` and `begin_user_change.lua`. */
export function endOfSessions(userId: string, ids: Iterable<string>) {
  return { keys: [sessionIndexKey(userId)], args: [sessionKeyPrefix(userId), ...ids] }
}

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

export function leaseKey(userId: string) {
  return `gatehouse:{${userId}}:user`
}

export function configurationKey(tag: string) {
  return `gatehouse:{${tag}}:configuration`
}

export function attemptsKey(countKey: string) {
  return `gatehouse:{${countKey}}:attempts`
}

/** A random id that identifies the data of a Redis: it goes where the data goes. */
export const STORE_ID = 'gatehouse:id'

/** Includes the keys of limits. */
export const ALL_KEYS = 'gatehouse:*'
export const ALL_SESSIONS = 'gatehouse:{*}:session:*'
export const ALL_SESSION_INDEXES = 'gatehouse:{*}:sessions'

export function userIdOf(key: string) {
  return key.slice(key.indexOf('{') + 1, key.indexOf('}'))
}

export function sessionIdOf(key: string) {
  return key.slice(key.lastIndexOf(':') + 1)
}
