import { LRUCache } from 'lru-cache'
import User from '#models/user'
import UserTransformer, { type UserRecord } from '#transformers/user_transformer'

interface VersionedRecord {
  version: number
  record: Readonly<UserRecord>
  /** The record as it is sent, written out once a version and not at every request. */
  json: string
}

/** Records kept in this process; each is about one kilobyte. */
const CACHED_RECORDS = 10_000

const cache = new LRUCache<string, VersionedRecord>({ max: CACHED_RECORDS })

/**
 * The record of a user at a version that the store has just named, or a later one. A
 * record cached under another version is never served: every update of a user raises it.
 */
export async function findUserRecord(userId: string, version: number) {
  const known = cache.get(userId)
  return known?.version === version ? known : readRecord(userId)
}

async function readRecord(userId: string) {
  const user = await User.find(userId)
  return user ? remember(user) : null
}

function remember(user: User) {
  const record = Object.freeze(new UserTransformer(user).toObject())
  const versioned = { version: user.version, record, json: JSON.stringify(record) }
  const lapsesByItself = record.lockedUntil !== null
  if (!lapsesByItself) cache.set(user.id, versioned)
  return versioned
}
