import { createRequire } from 'node:module'

/*
 | knex 3.3 resolves `commit()` whether the database committed or not: a failure only
 | reaches a promise that Lucid does not wait for, and a change that was rolled back
 | would be acknowledged. Here a commit succeeds when the database says so, or throws.
 */

interface KnexTransaction {
  trxClient: { query(connection: unknown, sql: string): Promise<{ response?: CommitReply }> }
  rollback(connection: unknown, error: unknown): Promise<unknown>
  _completed: boolean
  _resolver(value: unknown): void
}

interface CommitReply {
  /** What Postgres did: `ROLLBACK` where a statement had failed before. */
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
