import type { Transaction } from '#database/transaction'

/** Locks the row of a user until the transaction ends. On SQLite the transaction has the whole file. */
export async function lockUserRow(userId: string, trx: Transaction) {
  await trx.from('users').where('id', userId).forUpdate().select('id')
}
