import limits from '#config/limits'
import db from '@adonisjs/lucid/services/db'
import { E_PASSKEY_EXISTS, E_PASSKEY_LIMIT } from '#auth/errors'
import { isUniqueViolation } from '#database/unique_violation'
import type { Transaction } from '#database/transaction'
import { type PasskeyRow, countPasskeys, type Owned } from './passkey_rows.ts'

/** Requires a lock on the user's row, for the limit. @throws E_PASSKEY_LIMIT, E_PASSKEY_EXISTS */
export async function insertPasskey(row: PasskeyRow, trx: Transaction) {
  if ((await countPasskeys(row.user_id, trx)) >= limits.passkeys) throw new E_PASSKEY_LIMIT()
  try {
    await trx.table('passkeys').insert(row)
  } catch (error) {
    throw isUniqueViolation(error) ? new E_PASSKEY_EXISTS() : error
  }
  await storeCount(row.user_id, trx)
}

// Raises the user's version, so that rights from a removed passkey end with the passkey.
async function storeCount(userId: string, trx: Transaction) {
  const count = await countPasskeys(userId, trx)
  const changed = { passkey_count: count, updated_at: Date.now() }
  await trx.from('users').where('id', userId).update(changed)
}

/** Skips credentials that are already registered. */
export async function importPasskeys(rows: PasskeyRow[], trx: Transaction) {
  await trx.knexQuery().insert(rows).into('passkeys').onConflict().ignore()
  for (const userId of new Set(rows.map((row) => row.user_id))) await storeCount(userId, trx)
}

/** @returns whether the passkey had another name */
export async function storeName({ id, userId }: Owned, name: string, trx: Transaction) {
  const passkey = trx.from('passkeys').where({ id, user_id: userId }).whereNot('name', name)
  return Number(await passkey.update({ name })) === 1
}

interface PasskeyUse {
  counter: number
  isBackedUp: boolean
  now: number
}

// Only one of two uses with the same counter passes. Synchronised passkeys keep it at zero.
export async function storeUse(id: string, { counter, isBackedUp, now }: PasskeyUse) {
  const passkey = db.from('passkeys').where('id', id)
  const going = passkey.where((row) => {
    row.where('counter', '<', counter)
    if (counter === 0) row.orWhere('counter', 0)
  })
  const used = await going.update({ counter, backed_up: isBackedUp, last_used_at: now })
  return Number(used) === 1
}

export async function deletePasskeys(
  userId: string,
  { id, since = 0 }: { id?: string; since?: number },
  trx: Transaction
): Promise<PasskeyRow[]> {
  const chosen = trx.from('passkeys').where('user_id', userId).where('created_at', '>=', since)
  const rows: PasskeyRow[] = await (id ? chosen.where('id', id) : chosen).orderBy('id')
  const ids = rows.map((row) => row.id)
  await trx.from('passkeys').whereIn('id', ids).delete()
  if (rows.length > 0) await storeCount(userId, trx)
  return rows
}

const DAY_MS = 24 * 3_600_000

/** Returns true for the first warning of a day. */
export async function claimDailyWarning(id: string, now: number, trx: Transaction) {
  const passkey = trx.from('passkeys').where('id', id)
  const unwarned = passkey.where((row) =>
    row.whereNull('counter_refused_at').orWhere('counter_refused_at', '<=', now - DAY_MS)
  )
  return Number(await unwarned.update({ counter_refused_at: now })) === 1
}
