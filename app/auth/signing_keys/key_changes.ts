import db from '@adonisjs/lucid/services/db'
import { assertActive } from '#auth/lock_for_change'
import { record } from '#events/record'
import { generateKeyPair } from './key_pair.ts'
import { forgetKnownKeys, knownKeys } from './known_keys.ts'
import { insertKey, startSigning, type NewKey } from './key_rows.ts'
import type { Actor } from '#audit/actor'
import type { KeyAlgorithm, KeyPurpose, SigningKey } from './signing_key.ts'
import type { Transaction } from '#database/transaction'

interface Use {
  purpose: KeyPurpose
  algorithm: KeyAlgorithm
}

export async function newKey(keys: SigningKey[], { purpose, algorithm }: Use) {
  const number = (keys[0]?.number ?? 0) + 1
  return { ...(await generateKeyPair(algorithm)), number, purpose, algorithm }
}

interface Addition extends Use {
  signsFrom: number
  actor: Actor
}

/** One of two parallel processes adds its key. */
export async function addKey(keys: SigningKey[], { signsFrom, actor, ...use }: Addition) {
  const key = { ...(await newKey(keys, use)), signsFrom }
  return changed((trx) => insertAndRecord(key, actor, trx))
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

/** @throws E_TOKEN_REVOKED when the session of the actor has ended meanwhile */
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

export async function changed(change: (trx: Transaction) => Promise<void>) {
  await db.transaction(change)
  forgetKnownKeys()
  return knownKeys(0)
}
