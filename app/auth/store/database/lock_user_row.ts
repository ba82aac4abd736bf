import type { Transaction } from '#database/transaction'

/** On SQLite, the transaction has already locked the whole file. */
export async function lockUserRow(userId: string, trx: Transaction) {
  await trx.from('users').where('id', userId).forUpdate().select('id')
}
