import db from '@adonisjs/lucid/services/db'
import { selectRows } from '#database/select_rows'
import type { Transaction } from '#database/transaction'
import type { SigningKey } from './signing_key.ts'

// Unique numbers and conditional UPDATEs decide between parallel processes.

export type NewKey = Pick<
  SigningKey,
  'kid' | 'number' | 'purpose' | 'algorithm' | 'publicJwk' | 'signsFrom'
> & {
  encryptedPrivateKey: string
}

export async function readKeys(): Promise<SigningKey[]> {
  const rows = await db.from('signing_keys').orderBy('number', 'desc')
  return rows.map(toKey)
}

function toKey(row: any): SigningKey {
  return {
    kid: row.kid,
    number: row.number,
    purpose: row.purpose,
    algorithm: row.algorithm,
    publicJwk: JSON.parse(row.public_jwk),
    encryptedPrivateKey: row.private_key,
    createdAt: Number(row.created_at),
    signsFrom: Number(row.signs_from),
    tokensUntil: Number(row.tokens_until),
    revokedAt: row.revoked_at === null ? null : Number(row.revoked_at),
  }
}

/** Returns false if another process has just added a key with this number. */
export async function insertKey(key: NewKey, trx: Transaction) {
  const { kid, number, purpose, algorithm, publicJwk, encryptedPrivateKey, signsFrom } = key
  const values = [kid, number, purpose, algorithm, JSON.stringify(publicJwk)]
  const inserted = await selectRows(
    trx,
    `INSERT INTO signing_keys
       (kid, number, purpose, algorithm, public_jwk, private_key, created_at, signs_from)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (number) DO NOTHING RETURNING kid`,
    [...values, encryptedPrivateKey, Date.now(), signsFrom]
  )
  return inserted.length === 1
}

/** Lets the key sign tokens that expire by this time. Returns false if the key was revoked. */
export async function reserveTokens(kid: string, until: number) {
  const greater = db.raw('CASE WHEN tokens_until > ? THEN tokens_until ELSE ? END', [until, until])
  const changed = await db
    .from('signing_keys')
    .where({ kid })
    .whereNull('revoked_at')
    .update({ tokens_until: greater })
  return Number(changed) === 1
}

/** Returns false if the key signs already, or was revoked. */
export async function startSigning(kid: string, now: number, trx: Transaction) {
  const changed = await trx
    .from('signing_keys')
    .where({ kid })
    .whereNull('revoked_at')
    .where('signs_from', '>', now)
    .update({ signs_from: now })
  return Number(changed) === 1
}

/** Removes the private part. Returns true for the one caller who revoked the key. */
export async function revokeRow(kid: string, now: number, trx: Transaction) {
  const changed = await trx
    .from('signing_keys')
    .where({ kid })
    .whereNull('revoked_at')
    .update({ revoked_at: now, private_key: null })
  return Number(changed) === 1
}
