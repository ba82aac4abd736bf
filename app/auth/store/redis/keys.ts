/*
 | Every key of a user carries the tag `{userId}` and every key of an e-mail the tag
 | `{email-hash}`: a script touches one slot of a cluster.
 */

export function hashPrefix(userId: string) {
  return `gatehouse:{${userId}}:session:`
}

/** What is known of a session, the tokens that it denies among it. */
export function hashKey(userId: string, sessionId: string) {
  return hashPrefix(userId) + sessionId
}

/** The sessions of a user by their start. */
export function indexKey(userId: string) {
  return `gatehouse:{${userId}}:sessions`
}

/** The version under which the user was last read from the database, or who is changing it. */
export function leaseKey(userId: string) {
  return `gatehouse:{${userId}}:user`
}

export function attemptsKey(emailHash: string) {
  return `gatehouse:{${emailHash}}:attempts`
}

/** Patterns of everybody's keys. */
export const EVERY_HASH = 'gatehouse:{*}:session:*'
export const EVERY_INDEX = 'gatehouse:{*}:sessions'

/** Whose key it is. */
export function ownerOf(key: string) {
  return key.slice(key.indexOf('{') + 1, key.indexOf('}'))
}

/** The session that a hash belongs to. */
export function sessionOf(key: string) {
  return key.slice(key.lastIndexOf(':') + 1)
}
