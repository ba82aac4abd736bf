import { LRUCache } from 'lru-cache'
import User from '#models/user'
import { canProveTwoFactors } from '#auth/sessions/required_factors'
import UserTransformer, { type UserRecord } from './user_transformer.ts'

interface VersionedRecord {
  version: string
  record: Readonly<UserRecord>
  /** The response body of the record, serialized once for each version. */
  json: string
  canProveTwoFactors: boolean
}

/** The most records in memory; each takes about one kilobyte. */
const CACHED_RECORDS = 10_000

const cache = new LRUCache<string, VersionedRecord>({ max: CACHED_RECORDS })

/**
 * Finds the record of a user at the version that the store has just named, or a later one.
 * A record of another version is never served: every update of a user gives them a new random
 * version, which no loss of commits repeats.
 */
export async function findUserRecord(userId: string, version: string) {
  const cached = cache.get(userId)
  return cached?.version === version ? cached : readRecord(userId)
}

async function readRecord(userId: string) {
  const user = await User.find(userId)
  return user ? cacheRecord(user) : null
}

/** A record that shows a lock or a pending address is not cached: both end by time, without a new version. */
function cacheRecord(user: User) {
  const record = Object.freeze(new UserTransformer(user).toObject())
  const versioned = {
    version: user.versionId,
    record,
    json: JSON.stringify(record),
    canProveTwoFactors: canProveTwoFactors(user),
  }
  if (record.lockedUntil === null && record.pendingEmail === null) cache.set(user.id, versioned)
  return versioned
}
