import { KnexAdapter } from '@boringnode/queue/drivers/knex_adapter'
import { JOBS_TABLE } from '#config/queue'
import type { Transaction } from '#database/transaction'

type Connection = ConstructorParameters<typeof KnexAdapter>[0]['connection']

/** For `dispatch().with()`: the job exists if and only if the transaction commits. */
export function inTransaction(trx: Transaction) {
  const connection = trx.knexClient as unknown as Connection
  const adapter = new KnexAdapter({ connection, tableName: JOBS_TABLE })
  return () => adapter
}
