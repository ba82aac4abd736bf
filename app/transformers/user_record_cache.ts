import { LRUCache } from 'lru-cache'
import User from '#models/user'
import { claimInputsOf, type ClaimInputs } from '#auth/claims/claim_inputs'
import { canProveTwoFactors } from '#auth/sessions/required_factors'
import UserTransformer, { type UserRecord } from './user_transformer.ts'

export interface VersionedRecord {
  version: string
  record: Readonly<UserRecord>
  /** The response body, serialized once for each version. */
  json: string
  jsonForClients: string
  canProveTwoFactors: boolean
  /** The fields that decide which applications the user may enter. */
  entering: Pick<User, 'id' | 'isService' | 'groupIds'>
  isHandleReceived: boolean
  claimInputs: ClaimInputs | null
}

/** Each record takes about one kilobyte of memory, and more with metadata. */
const CACHED_RECORDS = 10_000
const CACHED_CHARACTERS = 20_000_000

const cache = new LRUCache<string, VersionedRecord>({
  max: CACHED_RECORDS,
  maxSize: CACHED_CHARACTERS,
  sizeCalculation: ({ json, jsonForClients }) => json.length + jsonForClients.length,
})

/** Every update gives a user a new random version, so that an outdated record is never served. */
export async function findUserRecord(userId: string, version: string) {
  const cached = cache.get(userId)
  return cached?.version === version ? cached : readRecord(userId)
}

async function readRecord(userId: string) {
  const user = await User.find(userId)
  return user ? cacheRecord(user) : null
}

/** A lock or a pending address ends by time, without a new version, so its record is not cached. */
function cacheRecord(user: User) {
  const transformer = new UserTransformer(user)
  const record = Object.freeze(transformer.toObject())
  const versioned = {
    version: user.versionId,
    record,
    json: JSON.stringify(transformer.single({})),
    jsonForClients: JSON.stringify(transformer.single({ client: true })),
    canProveTwoFactors: canProveTwoFactors(user),
    entering: { id: user.id, isService: user.isService, groupIds: user.groupIds },
    isHandleReceived: Boolean(user.handleReceivedAt),
    claimInputs: claimInputsOf(user),
  }
  keepHash(versioned)
  if (record.lockedUntil === null && record.pendingEmail === null) cache.set(user.id, versioned)
  return versioned
}

/** Kept apart from the records: every request needs a hash, but not all records are kept. */
const hashes = new LRUCache<string, { version: string; hash: string | null }>({
  max: CACHED_RECORDS,
})

function keepHash({ record, version, claimInputs }: VersionedRecord) {
  if (claimInputs) hashes.set(record.id, { version, hash: claimInputs.hash })
}

/** Returns the hash of what `TOKEN_CLAIMS` reads of the user; null if it reads nothing. */
export async function findClaimsHash(userId: string, version: string) {
  const kept = hashes.get(userId)
  if (kept?.version === version) return kept.hash
  const found = await findUserRecord(userId, version)
  return found?.claimInputs?.hash ?? null
}
