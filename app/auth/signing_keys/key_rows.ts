import string from '@adonisjs/core/helpers/string'
import db from '@adonisjs/lucid/services/db'
import settings from '#config/signing_keys'
import tokens from '#config/tokens'
import { selectRows } from '#database/select_rows'
import type { Transaction } from '#database/transaction'
import { KEY_PURPOSES, type KeyPurpose, type SigningKey } from './signing_key.ts'

// This file owns `signing_keys`. Unique numbers and conditional UPDATEs decide between processes.

const DAY_MS = 86_400_000

// An application ends sessions by its last ID token, whose key stays known as long.
function keptMs(purpose: KeyPurpose, longestMs: number) {
  return purpose === 'access' ? DAY_MS : Math.max(DAY_MS, longestMs)
}

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

/** False if another process has just added a key with this number. */
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

/** Lets the key sign tokens that end at this time; false if it was revoked. */
export async function reserveTokens(kid: string, until: number) {
  const greater = db.raw('CASE WHEN tokens_until > ? THEN tokens_until ELSE ? END', [until, until])
  const changed = await db
    .from('signing_keys')
    .where({ kid })
    .whereNull('revoked_at')
    .update({ tokens_until: greater })
  return Number(changed) === 1
}

/** False if the key signs already, or was revoked. */
export async function startSigning(kid: string, now: number, trx: Transaction) {
  const changed = await trx
    .from('signing_keys')
    .where({ kid })
    .whereNull('revoked_at')
    .where('signs_from', '>', now)
    .update({ signs_from: now })
  return Number(changed) === 1
}

/** Removes the private part. True for the one caller who revoked the key. */
export async function revokeRow(kid: string, now: number, trx: Transaction) {
  const changed = await trx
    .from('signing_keys')
    .where({ kid })
    .whereNull('revoked_at')
    .update({ revoked_at: now, private_key: null })
  return Number(changed) === 1
}

function replacedBefore(purpose: KeyPurpose, time: number) {
  const newest = db
    .from('signing_keys')
    .max('number')
    .where({ purpose })
    .whereNull('revoked_at')
    .where('signs_from', '<=', time)
  return db.from('signing_keys').where({ purpose }).where('number', '<', newest)
}

/** Removes private parts of replaced keys, and keys that expired long ago. */
export async function pruneKeys(now: number) {
  const longestMs = await longestSessionMs()
  let removed = 0
  for (const purpose of KEY_PURPOSES) {
    removed += await prune(purpose, now, keptMs(purpose, longestMs))
  }
  return removed
}

/** How long a session with an application can last without a refresh. */
async function longestSessionMs() {
  const own = db.from('oauth_clients').whereNotNull('refresh_token_ttl')
  const rows = await own.distinct('refresh_token_ttl')
  const lifetimes = rows.map((row) => string.milliseconds.parse(row.refresh_token_ttl))
  return Math.max(tokens.refreshTtlMs, ...lifetimes)
}

async function prune(purpose: KeyPurpose, now: number, kept: number) {
  const replaced = replacedBefore(purpose, now - settings.publishedBeforeMs)
  await replaced.whereNotNull('private_key').update({ private_key: null })
  const before = now - kept
  return Number(await replacedBefore(purpose, before).where('tokens_until', '<=', before).delete())
}
