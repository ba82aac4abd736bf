import settings from '#config/signing_keys'
import { E_KEY_PUBLISHED, E_NO_PUBLIC_KEYS } from '#auth/errors'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { assertMay } from '#auth/callers/limits'
import { SYSTEM, type Actor } from '#audit/actor'
import { knownKeys } from './known_keys.ts'
import { revokeRow } from './key_rows.ts'
import {
  isUpcoming,
  keysFor,
  KEY_PURPOSES,
  signersOf,
  type KeyPurpose,
  type SigningKey,
  type TokenAlgorithm,
} from './signing_key.ts'
import { addKey, changed, insertAndRecord, newKey, recordKey, startNow } from './key_changes.ts'
import type { Transaction } from '#database/transaction'

/** ID tokens are ES256 whatever the setting: every client of the provider verifies that. */
export function algorithmFor(purpose: KeyPurpose): TokenAlgorithm {
  return purpose === 'access' ? settings.algorithm : 'ES256'
}

/** Adds the key that the setting asks for, when the server starts. With HS256 those of before are read. */
export async function prepareKeys() {
  const { algorithm } = settings
  const keys = await ensureKey('access', await knownKeys(0))
  if (algorithm === 'HS256') return
  const newest = newestOf('access', keys)
  if (newest?.algorithm === algorithm) return
  const signsFrom = inDueTime()
  await addKey(keys, { purpose: 'access', algorithm, signsFrom, actor: SYSTEM })
}

/**
 * Adds the first key, and the next one when the newest gets too old. The first signs at once:
 * there is no earlier document that a verifier could have kept. A key in force is never
 * replaced here because it has another algorithm: processes with the old and the new setting
 * would replace each other's during an update of the servers.
 */
export async function ensureKey(purpose: KeyPurpose, keys: SigningKey[]) {
  const algorithm = algorithmFor(purpose)
  if (algorithm === 'HS256') return keys
  const now = Date.now()
  const newest = newestOf(purpose, keys)
  const added = { purpose, algorithm, actor: SYSTEM }
  if (!newest) return addKey(keys, { ...added, signsFrom: now })
  if (isDue(newest)) return addKey(keys, { ...added, signsFrom: inDueTime() })
  if (signersOf(purpose, keys, now).length > 0 || !isUpcoming(newest, now)) return keys
  return changed((trx) => startNow(newest, SYSTEM, trx))
}

function newestOf(purpose: KeyPurpose, keys: SigningKey[]) {
  return keysFor(purpose, keys).find(({ revokedAt }) => revokedAt === null)
}

/** Early enough that the next key signs when this one has reached its age. */
function isDue({ signsFrom }: SigningKey) {
  const { rotationMs } = settings
  return rotationMs !== null && signsFrom + rotationMs <= inDueTime()
}

/** When a key may sign that is published now. */
function inDueTime() {
  return Date.now() + settings.publishedBeforeMs
}

/**
 * Publishes a new key, which signs in ten minutes, or with `isImmediate` now: for a key that
 * may be known to others, although verifiers that keep the document refuse tokens meanwhile.
 *
 * @throws E_NO_PUBLIC_KEYS, E_KEY_PUBLISHED, and what `assertMay` throws
 */
export async function rotateKeys(actor: Actor, { isImmediate = false } = {}) {
  assertMay('signing_keys', actor)
  let keys = await knownKeys(0)
  const purposes = KEY_PURPOSES.filter((purpose) => isInUse(purpose, keys))
  if (purposes.length === 0) throw new E_NO_PUBLIC_KEYS()
  const now = Date.now()
  const isPublished = purposes.every((purpose) => upcomingOf(purpose, keys, now))
  if (isPublished && !isImmediate) throw new E_KEY_PUBLISHED()
  for (const purpose of purposes) keys = await rotate(purpose, keys, { actor, isImmediate })
  return keys
}

/** The first key for ID tokens is made when somebody signs in to a client. */
function isInUse(purpose: KeyPurpose, keys: SigningKey[]) {
  if (purpose === 'access') return settings.algorithm !== 'HS256'
  return newestOf(purpose, keys) !== undefined
}

function upcomingOf(purpose: KeyPurpose, keys: SigningKey[], now: number) {
  return keysFor(purpose, keys).find((key) => isUpcoming(key, now))
}

async function rotate(
  purpose: KeyPurpose,
  keys: SigningKey[],
  { actor, isImmediate }: { actor: Actor; isImmediate: boolean }
) {
  const [algorithm, now] = [algorithmFor(purpose), Date.now()]
  const upcoming = upcomingOf(purpose, keys, now)
  if (algorithm === 'HS256' || (upcoming && !isImmediate)) return keys
  if (upcoming) return changed((trx) => startNow(upcoming, actor, trx))
  const isFirst = signersOf(purpose, keys, now).length === 0
  const signsFrom = isImmediate || isFirst ? now : inDueTime()
  return addKey(keys, { purpose, algorithm, signsFrom, actor })
}

/**
 * Revokes a key: its tokens are refused, and it leaves the document. Sessions go on, because
 * refresh tokens are not signed by it. The next key signs at once.
 *
 * @throws E_NOT_FOUND if there is no such key, or it was revoked before, and what `assertMay` throws
 */
export async function revokeKey(kid: string, actor: Actor) {
  assertMay('signing_keys', actor)
  const keys = await knownKeys(0)
  const purpose = keys.find((key) => key.kid === kid)?.purpose ?? 'access'
  const isSigning = signersOf(purpose, keys, Date.now())[0]?.kid === kid
  const replace = isSigning ? await prepareSuccessor(purpose, keys, actor) : null
  const remaining = await changed(async (trx) => {
    if (!(await revokeRow(kid, Date.now(), trx))) throw new E_NOT_FOUND()
    await replace?.(trx)
    await recordKey('signing_key.revoked', { kid }, { actor, trx })
  })
  return ensureKey(purpose, remaining)
}

/** How the signing key is replaced at once: by the key that is published, or else by a new one. */
async function prepareSuccessor(purpose: KeyPurpose, keys: SigningKey[], actor: Actor) {
  const algorithm = algorithmFor(purpose)
  const upcoming = upcomingOf(purpose, keys, Date.now())
  if (upcoming) return (trx: Transaction) => startNow(upcoming, actor, trx)
  if (algorithm === 'HS256') return null
  const key = { ...(await newKey(keys, { purpose, algorithm })), signsFrom: Date.now() }
  return (trx: Transaction) => insertAndRecord(key, actor, trx)
}
