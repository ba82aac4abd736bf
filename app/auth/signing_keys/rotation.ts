import settings from '#config/signing_keys'
import { E_KEY_PUBLISHED, E_NO_PUBLIC_KEYS } from '#auth/errors'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { assertMay } from '#auth/callers/permissions'
import type { Actor } from '#audit/actor'
import { cachedKeys } from './cached_keys.ts'
import { revokeRow } from './key_rows.ts'
import {
  isUpcoming,
  keysFor,
  KEY_PURPOSES,
  newestOf,
  signersOf,
  type KeyPurpose,
  type SigningKey,
} from './signing_key.ts'
import { addKey, changeKeys, insertAndRecord, newKey, recordKey, startNow } from './key_changes.ts'
import type { Transaction } from '#database/transaction'
import { algorithmFor, nextSignsFrom, ensureKey } from './prepare_keys.ts'

/**
 * Verifiers cache the key set: a new key signs after ten minutes, or immediately after a leak.
 * @throws E_NO_PUBLIC_KEYS, E_KEY_PUBLISHED, and what `assertMay` throws
 */
export async function rotateKeys(actor: Actor, { isImmediate = false } = {}) {
  assertMay('signing_keys', actor)
  let keys = await cachedKeys(0)
  const purposes = KEY_PURPOSES.filter((purpose) => isInUse(purpose, keys))
  if (purposes.length === 0) throw new E_NO_PUBLIC_KEYS()
  const now = Date.now()
  const isPublished = purposes.every((purpose) => upcomingOf(purpose, keys, now))
  if (isPublished && !isImmediate) throw new E_KEY_PUBLISHED()
  for (const purpose of purposes) keys = await rotate(purpose, keys, { actor, isImmediate })
  return keys
}

// The first keys for ID tokens are created for applications, not by a rotation.
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
  if (upcoming) return changeKeys((trx) => startNow(upcoming, actor, trx))
  const isFirst = signersOf(purpose, keys, now).length === 0
  const signsFrom = isImmediate || isFirst ? now : nextSignsFrom()
  return addKey(keys, { purpose, algorithm, signsFrom, actor })
}

/** Ends no session; the next key signs now. @throws E_NOT_FOUND, and what `assertMay` throws */
export async function revokeKey(kid: string, actor: Actor) {
  assertMay('signing_keys', actor)
  // Postgres refuses text with this character.
  if (kid.includes('\0')) throw unknownKey(kid)
  const keys = await cachedKeys(0)
  const purpose = keys.find((key) => key.kid === kid)?.purpose ?? 'access'
  const isSigning = signersOf(purpose, keys, Date.now())[0]?.kid === kid
  const replace = isSigning ? await prepareSuccessor(purpose, keys, actor) : null
  const remaining = await changeKeys(async (trx) => {
    if (!(await revokeRow(kid, Date.now(), trx))) throw unknownKey(kid, keys)
    await replace?.(trx)
    await recordKey('signing_key.revoked', { kid }, { actor, trx })
  })
  return ensureKey(purpose, remaining)
}

async function prepareSuccessor(purpose: KeyPurpose, keys: SigningKey[], actor: Actor) {
  const algorithm = algorithmFor(purpose)
  const upcoming = upcomingOf(purpose, keys, Date.now())
  if (upcoming) return (trx: Transaction) => startNow(upcoming, actor, trx)
  if (algorithm === 'HS256') return null
  const key = { ...(await newKey(keys, { purpose, algorithm })), signsFrom: Date.now() }
  return (trx: Transaction) => insertAndRecord(key, actor, trx)
}

function unknownKey(kid: string, keys: SigningKey[] = []) {
  const isKnown = keys.some((key) => key.kid === kid)
  if (isKnown) return new E_NOT_FOUND(`The signing key ${kid} is revoked already`)
  return new E_NOT_FOUND(`No signing key has the id ${kid}: see keys:list`)
}
