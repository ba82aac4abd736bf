import db from '@adonisjs/lucid/services/db'
import settings from '#config/signing_keys'
import { E_KEY_PUBLISHED, E_NO_PUBLIC_KEYS } from '#auth/errors'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { recordAudit } from '#audit/trail'
import { SYSTEM, type Actor } from '#audit/actor'
import { generateKeyPair } from './key_pair.ts'
import { forgetKnownKeys, knownKeys } from './known_keys.ts'
import { insertKey, revokeRow, startSigning, type NewKey } from './key_rows.ts'
import { isUpcoming, signersOf, type KeyAlgorithm, type SigningKey } from './signing_key.ts'
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

async function newKey(keys: SigningKey[], algorithm: KeyAlgorithm) {
  const number = (keys[0]?.number ?? 0) + 1
  return { ...(await generateKeyPair(algorithm)), number, algorithm }
}

interface Addition {
  algorithm: KeyAlgorithm
  signsFrom: number
  actor: Actor
}

/** Adds a key after the newest. Of two processes that do so at once, one adds its key. */
async function addKey(keys: SigningKey[], { algorithm, signsFrom, actor }: Addition) {
  const key = { ...(await newKey(keys, algorithm)), signsFrom }
  return changed((trx) => insertAndRecord(key, actor, trx))
}

async function insertAndRecord(key: NewKey, actor: Actor, trx: Transaction) {
  if (!(await insertKey(key, trx))) return
  await recordKey('signing_key.published', key, { actor, trx })
}

async function startNow(key: SigningKey, actor: Actor, trx: Transaction) {
  const signsFrom = Date.now()
  if (!(await startSigning(key.kid, signsFrom, trx))) return
  await recordKey('signing_key.started', { ...key, signsFrom }, { actor, trx })
}

type KeyAction = 'signing_key.published' | 'signing_key.started' | 'signing_key.revoked'

async function recordKey(
  action: KeyAction,
  { kid, algorithm, signsFrom }: Pick<SigningKey, 'kid'> & Partial<SigningKey>,
  { actor, trx }: { actor: Actor; trx: Transaction }
) {
  const from = signsFrom === undefined ? undefined : new Date(signsFrom).toISOString()
  const details = { kid, algorithm, signsFrom: from }
  await recordAudit({ action, actor, targetId: null, details }, trx)
}

/** The keys after a change. */
async function changed(change: (trx: Transaction) => Promise<void>) {
  await db.transaction(change)
  forgetKnownKeys()
  return knownKeys(0)
}
