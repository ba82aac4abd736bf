import db from '@adonisjs/lucid/services/db'
import { assertActive } from '#auth/lock_for_change'
import { record } from '#events/record'
import { generateKeyPair } from './key_pair.ts'
import { clearKeyCache, cachedKeys } from './cached_keys.ts'
import { insertKey, startSigning, type NewKey } from './key_rows.ts'
import type { Actor } from '#audit/actor'
import {
  KEY_PURPOSES,
  newestOf,
  type KeyAlgorithm,
  type KeyPurpose,
  type SigningKey,
} from './signing_key.ts'
import type { Transaction } from '#database/transaction'

interface KeyUse {
  purpose: KeyPurpose
  algorithm: KeyAlgorithm
}

export async function newKey(keys: SigningKey[], { purpose, algorithm }: KeyUse) {
  return { ...(await generateKeyPair(algorithm)), number: nextNumber(keys), purpose, algorithm }
}

function nextNumber([newest]: SigningKey[]) {
  return (newest?.number ?? 0) + 1
}

export interface Addition extends KeyUse {
  signsFrom: number
  actor: Actor
}

/** Only one of two parallel processes adds its key; another purpose's key only takes the number. */
export async function addKey(before: SigningKey[], { signsFrom, actor, ...use }: Addition) {
  const pair = { ...(await generateKeyPair(use.algorithm)), ...use, signsFrom }
  const last = newestOf(use.purpose, before)?.kid
  let keys = before
  for (let tries = 0; tries <= KEY_PURPOSES.length; tries++) {
    const key = { ...pair, number: nextNumber(keys) }
    keys = await changeKeys((trx) => insertAndRecord(key, actor, trx))
    if (newestOf(use.purpose, keys)?.kid !== last) break
  }
  return keys
}

export async function insertAndRecord(key: NewKey, actor: Actor, trx: Transaction) {
  if (!(await insertKey(key, trx))) return
  await recordKey('signing_key.published', key, { actor, trx })
}

export async function startNow(key: SigningKey, actor: Actor, trx: Transaction) {
  const signsFrom = Date.now()
  if (!(await startSigning(key.kid, signsFrom, trx))) return
  await recordKey('signing_key.started', { ...key, signsFrom }, { actor, trx })
}

type KeyAction = 'signing_key.published' | 'signing_key.started' | 'signing_key.revoked'

/** @throws E_TOKEN_REVOKED if the actor's session has ended since the request began */
export async function recordKey(
  action: KeyAction,
  { kid, algorithm, signsFrom }: Pick<SigningKey, 'kid'> & Partial<SigningKey>,
  { actor, trx }: { actor: Actor; trx: Transaction }
) {
  await assertActive(actor, trx)
  const from = signsFrom === undefined ? undefined : new Date(signsFrom).toISOString()
  const details = { kid, algorithm, signsFrom: from }
  await record(trx, { type: action, user: null, actor, details })
}

export async function changeKeys(change: (trx: Transaction) => Promise<void>) {
  await db.transaction(change)
  clearKeyCache()
  return cachedKeys(0)
}
