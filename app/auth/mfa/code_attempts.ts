import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import store from '#auth/store/service'
import { E_MFA_SUSPENDED } from '#auth/errors'
import { hashEmail } from '#auth/lockout/count_keys'
import {
  lockedRefusal,
  reserveByKey,
  releaseByKey,
  type ReservedAttempt,
} from '#auth/lockout/reservations'
import { selectRows } from '#database/select_rows'
import { isBackupCode } from './codes.ts'
import type { Transaction } from '#database/transaction'
import type User from '#models/user'

// Codes have their own counters: an attacker who knows the password must not clear them by a reset.
// Each code counts before its evaluation, so that parallel codes share the bounds.

export interface CodeAttempt extends ReservedAttempt {
  /** The number of codes since the last completed second step. */
  inARow: number
}

/** The largest `integer` of Postgres. */
const LARGEST_INTEGER = 2_147_483_647

export const codeCountKey = (userId: string) => hashEmail(`mfa:${userId}`)

/** @throws E_MFA_SUSPENDED, E_ACCOUNT_LOCKED; E_TOO_MANY_REQUESTS while all attempts are in use */
export async function reserveCode(user: User, code: string): Promise<CodeAttempt> {
  if (user.isMfaSuspended && !isBackupCode(code)) throw new E_MFA_SUSPENDED()
  if (user.isMfaLocked) throw lockedRefusal(user.mfaLockedUntil!.toMillis())
  const reserved = await reserveByKey(codeCountKey(user.id))
  try {
    return { ...reserved, inARow: await countCode(user.id, code) }
  } catch (error) {
    await releaseByKey(codeCountKey(user.id), reserved.id)
    throw error
  }
}

/** Limits codes in a row: an attacker could try five after each lock. @throws E_MFA_SUSPENDED */
export async function countCode(userId: string, code: string): Promise<number> {
  const limit = isBackupCode(code) ? LARGEST_INTEGER : limits.wrongCodesInARow
  const [row] = await selectRows<{ mfa_failures: number }>(
    db.connection(),
    `UPDATE users SET mfa_failures = mfa_failures + 1 WHERE id = ? AND mfa_failures < ?
     RETURNING mfa_failures`,
    [userId, limit]
  )
  if (!row) throw new E_MFA_SUSPENDED()
  return row.mfa_failures
}

/** Uncounts a code that was right, used already, or not evaluated. */
export async function releaseCodeAttempt(userId: string) {
  await db
    .from('users')
    .where('id', userId)
    .where('mfa_failures', '>', 0)
    .decrement('mfa_failures', 1)
}

export async function releaseCode(userId: string, { id }: CodeAttempt) {
  await releaseByKey(codeCountKey(userId), id)
  await releaseCodeAttempt(userId)
}

/** Keeps the time of the lock, so that one mail covers all locks. @returns if there was a lock */
export async function unlockCodes(userId: string, trx: Transaction) {
  const now = Date.now()
  const locked = trx.from('users').where('id', userId).where('mfa_locked_until', '>', now)
  const lifted = await locked.update({ mfa_locked_until: now })
  const until = await store.unlockAttempts(codeCountKey(userId), trx)
  return Number(lifted) === 1 || (until !== null && until > now)
}

export function clearCodeWindow(userId: string, trx: Transaction) {
  return store.clearAttempts(codeCountKey(userId), trx)
}
