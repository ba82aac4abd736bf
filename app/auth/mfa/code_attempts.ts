import db from '@adonisjs/lucid/services/db'
import settings from '#config/mfa'
import store from '#auth/store/service'
import { E_MFA_SUSPENDED } from '#auth/errors'
import { hashEmail } from '#auth/lockout/count_keys'
import {
  lockedRefusal,
  reserveUnder,
  returnUnder,
  type ReservedAttempt,
} from '#auth/lockout/attempts'
import { selectRows } from '#database/select_rows'
import { isBackupCode } from './codes.ts'
import type { Transaction } from '#database/transaction'
import type User from '#models/user'

/*
 | Codes have two counters of their own, apart from that of passwords: an attacker who sends
 | codes knows the password, and must not clear the count by a reset of it. The store counts
 | those of a window, `users.mfa_failures` those in a row. Each code is counted before it is
 | evaluated and returned unless it was wrong, so that codes at once share both bounds.
 */

/** The permission to evaluate one code. */
export interface CodeAttempt extends ReservedAttempt {
  /** Since the last second step that was completed. */
  inARow: number
}

/** Of a column of Postgres. */
const LARGEST_INTEGER = 2_147_483_647

export const codeCountKey = (userId: string) => hashEmail(`mfa:${userId}`)

/** @throws E_MFA_SUSPENDED, E_ACCOUNT_LOCKED, and E_TOO_MANY_REQUESTS while all attempts are in use */
export async function reserveCode(user: User, code: string): Promise<CodeAttempt> {
  if (user.isMfaSuspended && !isBackupCode(code)) throw new E_MFA_SUSPENDED()
  if (user.isMfaLocked) throw lockedRefusal(user.mfaLockedUntil!.toMillis())
  const reserved = await reserveUnder(codeCountKey(user.id))
  try {
    return { ...reserved, inARow: await countCode(user.id, code) }
  } catch (error) {
    await returnUnder(codeCountKey(user.id), reserved.id)
    throw error
  }
}

/**
 * Counts a code of a user. The conditional UPDATE decides, so that no more one-time codes
 * than the limit are ever evaluated in a row: an attacker with patience could otherwise try
 * five codes after each lock until one is right.
 *
 * @throws E_MFA_SUSPENDED
 */
export async function countCode(userId: string, code: string): Promise<number> {
  const limit = isBackupCode(code) ? LARGEST_INTEGER : settings.suspendAfter
  const [row] = await selectRows<{ mfa_failures: number }>(
    db.connection(),
    `UPDATE users SET mfa_failures = mfa_failures + 1 WHERE id = ? AND mfa_failures < ?
     RETURNING mfa_failures`,
    [userId, limit]
  )
  if (!row) throw new E_MFA_SUSPENDED()
  return row.mfa_failures
}

/** Takes a code back that was not wrong: it was right, used already, or not evaluated. */
export async function releaseCodeAttempt(userId: string) {
  await db
    .from('users')
    .where('id', userId)
    .where('mfa_failures', '>', 0)
    .decrement('mfa_failures', 1)
}

export async function returnCode(userId: string, { id }: CodeAttempt) {
  await returnUnder(codeCountKey(userId), id)
  await releaseCodeAttempt(userId)
}

/**
 * Lifts a lock of the second step, and returns whether there was one. That it was locked is
 * remembered, so that one mail tells of all.
 */
export async function unlockCodes(userId: string, trx: Transaction) {
  const now = Date.now()
  const locked = trx.from('users').where('id', userId).where('mfa_locked_until', '>', now)
  const lifted = await locked.update({ mfa_locked_until: now })
  const until = await clearCodeWindow(userId, trx)
  return Number(lifted) === 1 || (until !== null && until > now)
}

/** Forgets the codes of the window, after a complete sign-in. */
export function clearCodeWindow(userId: string, trx: Transaction) {
  return store.clearAttempts(codeCountKey(userId), trx)
}
