import { createHmac, hkdfSync, randomInt } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import env from '#start/env'
import settings from '#config/mfa'
import { keyId } from '#auth/tokens/keyring'
import type { QueryClientContract as QueryClient } from '@adonisjs/lucid/types/database'
import type { Transaction } from '#database/transaction'

// Leaves out O, 0, I and 1, which look alike on paper. 32^10 = 2^50 codes at five tries a sign-in
// cannot be guessed.
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

// Keyed hashes: an attacker with a stolen table could try all 2^50 unkeyed codes within days. A
// code cannot be hashed again, so its row names the entry of the keyring that it needs.
const KEYS = env.get('MFA_ENCRYPTION_KEYS').map((secret) => ({
  id: keyId(secret),
  key: Buffer.from(hkdfSync('sha256', secret, '', 'gatehouse backup codes', 32)),
}))

function hashCode(userId: string, code: string, key: Buffer) {
  return createHmac('sha256', key).update(`${userId}:${code}`).digest('base64url')
}

function newCode() {
  const characters = Array.from(
    { length: settings.backupCodeLength },
    () => ALPHABET[randomInt(ALPHABET.length)]
  )
  return characters.join('')
}

/** Returns the codes, which cannot be read later because only their hashes are stored. */
export async function replaceBackupCodes(userId: string, trx: Transaction): Promise<string[]> {
  const codes = new Set<string>()
  while (codes.size < settings.backupCodes) codes.add(newCode())
  await deleteBackupCodes(userId, trx)
  await trx.table('mfa_backup_codes').multiInsert([...codes].map((code) => newRow(userId, code)))
  return [...codes]
}

function newRow(userId: string, code: string) {
  const [{ id, key }] = KEYS
  return { user_id: userId, code_hash: hashCode(userId, code, key), key_id: id }
}

export async function countBackupCodes(userId: string) {
  const [{ total }] = await db.from('mfa_backup_codes').where('user_id', userId).count('* as total')
  return Number(total)
}

export async function deleteBackupCodes(userId: string, trx: Transaction) {
  await trx.from('mfa_backup_codes').where('user_id', userId).delete()
}

/** Selects the row of a code, whichever entry of the keyring hashed the code. */
function rowOf(userId: string, code: string) {
  const hashes = KEYS.map(({ key }) => hashCode(userId, code, key))
  return (client: QueryClient) =>
    client.from('mfa_backup_codes').where('user_id', userId).whereIn('code_hash', hashes)
}

/** @returns a function that uses the code (false if it was used already); null for a wrong code */
export async function findBackupCode(userId: string, code: string) {
  const row = rowOf(userId, code)
  if (!(await row(db.connection()).first())) return null
  return async (client: QueryClient) => {
    const used = await row(client).whereNull('used_at').update({ used_at: Date.now() })
    return Number(used) === 1
  }
}

/** Call it only in the request that used the code, after a refusal that changed nothing. */
export async function releaseBackupCode(userId: string, code: string) {
  await rowOf(userId, code)(db.connection()).update({ used_at: null })
}

/** Counts unused codes by keyring entry. `unknown` counts older codes, which name no entry. */
export async function countCodesByKey() {
  const rows: { key_id: string | null; total: number | string }[] = await db
    .from('mfa_backup_codes')
    .whereNull('used_at')
    .groupBy('key_id')
    .select('key_id')
    .count('* as total')
  return new Map(rows.map(({ key_id: id, total }) => [id ?? 'unknown', Number(total)]))
}
