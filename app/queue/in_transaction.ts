import { KnexAdapter } from '@boringnode/queue/drivers/knex_adapter'
import { JOBS_TABLE } from '#config/queue'
import type { Transaction } from '#database/transaction'

/** For `dispatch().with()`: the job exists if and only if the transaction commits. */
export function inTransaction(trx: Transaction) {
  const adapter = new KnexAdapter({ connection: trx.knexClient as any, tableName: JOBS_TABLE })
  return () => adapter
}
