import settings from '#config/signing_keys'
import { E_KEY_PUBLISHED, E_NO_PUBLIC_KEYS } from '#auth/errors'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { SYSTEM, type Actor } from '#audit/actor'
import { knownKeys } from './known_keys.ts'
import { revokeRow } from './key_rows.ts'
import { isUpcoming, signersOf, type SigningKey } from './signing_key.ts'
import { addKey, changed, insertAndRecord, newKey, recordKey, startNow } from './key_changes.ts'
import type { Transaction } from '#database/transaction'

/** Adds the key that the setting asks for, when the server starts. With HS256 those of before are read. */
export async function prepareKeys() {
  const { algorithm } = settings
  const keys = await ensureKey(await knownKeys(0))
  if (algorithm === 'HS256') return
  const newest = keys.find(({ revokedAt }) => revokedAt === null)
  if (newest?.algorithm === algorithm) return
  await addKey(keys, { algorithm, signsFrom: inDueTime(), actor: SYSTEM })
}

/**
 * Adds the first key, and the next one when the newest gets too old. The first signs at once:
 * there is no earlier document that a verifier could have kept. A key in force is never
 * replaced here because it has another algorithm: processes with the old and the new setting
 * would replace each other's during an update of the servers.
 */
export async function ensureKey(keys: SigningKey[]) {
  const { algorithm } = settings
  if (algorithm === 'HS256') return keys
  const now = Date.now()
  const newest = keys.find(({ revokedAt }) => revokedAt === null)
  if (!newest) return addKey(keys, { algorithm, signsFrom: now, actor: SYSTEM })
  if (isDue(newest)) return addKey(keys, { algorithm, signsFrom: inDueTime(), actor: SYSTEM })
  if (signersOf(keys, now).length > 0 || !isUpcoming(newest, now)) return keys
  return changed((trx) => startNow(newest, SYSTEM, trx))
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
 * @throws E_NO_PUBLIC_KEYS, E_KEY_PUBLISHED
 */
export async function rotateKeys(actor: Actor, { isImmediate = false } = {}) {
  const { algorithm } = settings
  if (algorithm === 'HS256') throw new E_NO_PUBLIC_KEYS()
  const now = Date.now()
  const keys = await knownKeys(0)
  const upcoming = keys.find((key) => isUpcoming(key, now))
  if (upcoming && !isImmediate) throw new E_KEY_PUBLISHED()
  if (upcoming) return changed((trx) => startNow(upcoming, actor, trx))
  const isFirst = signersOf(keys, now).length === 0
  return addKey(keys, { algorithm, signsFrom: isImmediate || isFirst ? now : inDueTime(), actor })
}

/**
 * Revokes a key: its tokens are refused, and it leaves the document. Sessions go on, because
 * refresh tokens are not signed by it. The next key signs at once.
 *
 * @throws E_NOT_FOUND if there is no such key, or it was revoked before
 */
export async function revokeKey(kid: string, actor: Actor) {
  const keys = await knownKeys(0)
  const isSigning = signersOf(keys, Date.now())[0]?.kid === kid
  const replace = isSigning ? await prepareSuccessor(keys, actor) : null
  const remaining = await changed(async (trx) => {
    if (!(await revokeRow(kid, Date.now(), trx))) throw new E_NOT_FOUND()
    await replace?.(trx)
    await recordKey('signing_key.revoked', { kid }, { actor, trx })
  })
  return ensureKey(remaining)
}

/** How the signing key is replaced at once: by the key that is published, or else by a new one. */
async function prepareSuccessor(keys: SigningKey[], actor: Actor) {
  const { algorithm } = settings
  const upcoming = keys.find((key) => isUpcoming(key, Date.now()))
  if (upcoming) return (trx: Transaction) => startNow(upcoming, actor, trx)
  if (algorithm === 'HS256') return null
  const key = { ...(await newKey(keys, algorithm)), signsFrom: Date.now() }
  return (trx: Transaction) => insertAndRecord(key, actor, trx)
}
