import { TABLES } from '#backup/tables'
import type { Transaction } from '#database/transaction'

/** Every table that a restore fills or empties, children first. */
const EMPTIED = Object.entries(TABLES)
  .filter(([, table]) => table.isKept || !table.stays)
  .map(([name]) => name)
  .reverse()

const TRAIL = 'audit_events'

/** The time limits of Postgres are for requests; a restore may take hours. */
export async function allowAnyTime(trx: Transaction) {
  if (trx.dialect.name !== 'postgres') return
  await trx.rawQuery('SET LOCAL statement_timeout = 0')
  await trx.rawQuery('SET LOCAL idle_in_transaction_session_timeout = 0')
}

/** Empties the tables in the transaction of the restore: the old rows exist until its commit. */
export async function emptyTables(trx: Transaction) {
  await emptyTrail(trx)
  const others = EMPTIED.filter((name) => name !== TRAIL)
  if (trx.dialect.name === 'postgres') {
    await trx.rawQuery(`TRUNCATE ${others.join(', ')}`)
    return
  }
  await trx.rawQuery('PRAGMA defer_foreign_keys = ON')
  for (const name of [...others, 'audit_erasures']) await trx.rawQuery(`DELETE FROM ${name}`)
}

/** Triggers allow only the deletion of events behind the checkpoint, so all are moved there. */
async function emptyTrail(trx: Transaction) {
  const beyond = Number.MAX_SAFE_INTEGER
  await trx.rawQuery(`
    UPDATE ${TRAIL} SET sequence = ${beyond} - waiting.position, hash = ''
    FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY id) AS position
      FROM ${TRAIL} WHERE sequence IS NULL) AS waiting
    WHERE ${TRAIL}.id = waiting.id`)
  const state = { sequence: beyond, checkpoint_sequence: beyond, hash: '', checkpoint_hash: '' }
  await trx
    .knexQuery()
    .insert({ ...state, id: 1, seal: '' })
    .into('audit_chain')
    .onConflict('id')
    .merge()
  await trx.rawQuery(`DELETE FROM ${TRAIL}`)
}
