import { deletePasskeys } from './passkey_rows.ts'
import type { Transaction } from '#database/transaction'

/**
 * Removes passkeys of a user: one, those added since a time in milliseconds, or all.
 *
 * @returns their names, for the mails about it
 */
export async function removePasskeys(
  userId: string,
  which: { id?: string; since?: number },
  trx: Transaction
) {
  const removed = await deletePasskeys(userId, which, trx)
  return removed.map(({ name }) => name)
}
