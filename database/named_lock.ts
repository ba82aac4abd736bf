import type { Transaction } from './transaction.ts'

/** Locks until the transaction ends. On SQLite, each BEGIN already locks (`knex_begin.ts`). */
export async function lockName(
  name: string,
  trx: Transaction,
  mode: 'shared' | 'exclusive' = 'exclusive'
) {
  if (trx.dialect.name !== 'postgres') return
  const lock = mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock'
  await trx.rawQuery(`SELECT ${lock}(hashtextextended(?, 0))`, [name])
}
