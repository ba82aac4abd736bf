import { LRUCache } from 'lru-cache'
import User from '#models/user'
import UserTransformer, { type UserRecord } from '#transformers/user_transformer'

interface VersionedRecord {
  version: number
  record: Readonly<UserRecord>
}

/** Records kept in this process; each is about one kilobyte. */
const CACHED_RECORDS = 10_000

const cache = new LRUCache<string, VersionedRecord>({ max: CACHED_RECORDS })

/** The record of an account as the database holds it now; null when there is none. */
export async function findAccountRecord(userId: string) {
  const user = await User.find(userId)
  return user ? remember(user) : null
}

/**
 * The record of an account at a version that the store has just named. A record cached
 * under another version is never served: every update of a user raises the version.
 */
export async function findRecordAtVersion(userId: string, version: number) {
  const known = cache.get(userId)
  if (known?.version === version) return known.record
  return findAccountRecord(userId)
}

function remember(user: User) {
  const record = Object.freeze(new UserTransformer(user).toObject())
  cache.set(user.id, { version: user.version, record })
  return record
}
