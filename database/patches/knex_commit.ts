import { createRequire } from 'node:module'

// knex 3.3 (issues 6141 and 3370 of knex/knex): `commit()` resolves even if the database did not
// commit, so that a lost change would be acknowledged. Patched, it rejects.

interface KnexTransaction {
  trxClient: { query(connection: unknown, sql: string): Promise<{ response?: CommitReply }> }
  rollback(connection: unknown, error: unknown): Promise<unknown>
  _completed: boolean
  _resolver(value: unknown): void
}

interface CommitReply {
  /** Postgres answers `ROLLBACK` to the commit of a failed transaction. */
  command?: string
}

async function commit(this: KnexTransaction, connection: unknown, value: unknown) {
  try {
    const { response } = await this.trxClient.query(connection, 'COMMIT;')
    if (response?.command === 'ROLLBACK') throw new Error('The transaction had failed before')
  } catch (error) {
    await this.rollback(connection, error)
    throw error
  }
  this._completed = true
  this._resolver(value)
}

const Transaction = createRequire(import.meta.url)('knex/lib/execution/transaction.js')
Object.assign(Transaction.prototype, { commit })
