import { deletePasskeys } from './store_passkey.ts'
import type { Transaction } from '#database/transaction'

/** @returns the names of the removed passkeys, for the mails about them */
export async function removePasskeys(
  userId: string,
  which: { id?: string; since?: number },
  trx: Transaction
) {
  const removed = await deletePasskeys(userId, which, trx)
  return removed.map(({ name }) => name)
}
