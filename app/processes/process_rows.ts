import { databaseNow } from '#database/clock'
import { selectRows } from '#database/select_rows'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { Transaction } from '#database/transaction'

/** A process that is silent for longer has ended: it writes three times in this period. */
export const LIVE_MS = 30_000

/** Rows of killed processes are kept for at most this time. */
const KEPT_MS = 86_400_000

export interface ProcessRow {
  id: string
  version: string
  host: string
  role: 'server'
  /** A short digest of each setting by its name, as JSON. */
  settings: string | null
}

/**
 * No process can register until the transaction ends. In one transaction, a restore looks for live
 * processes and marks its beginning.
 */
export async function lockProcesses(trx: Transaction) {
  if (trx.dialect.name !== 'postgres') return
  await trx.rawQuery('LOCK TABLE processes IN SHARE ROW EXCLUSIVE MODE')
}

export async function insertProcess(trx: Transaction, row: ProcessRow) {
  const now = databaseNow(trx)
  await trx.rawQuery(`DELETE FROM processes WHERE seen_at < ${now} - ${KEPT_MS}`)
  const { id, version, host, role, settings } = row
  await trx.rawQuery(
    `INSERT INTO processes (id, version, host, role, settings, started_at, seen_at)
     VALUES (?, ?, ?, ?, ?, ${now}, ${now})`,
    [id, version, host.slice(0, 255), role, settings as string]
  )
}

/** @returns false if the row is gone */
export async function touchProcess(
  client: QueryClientContract,
  { id, settings }: Pick<ProcessRow, 'id' | 'settings'>
) {
  const sql = `UPDATE processes SET seen_at = ${databaseNow(client)}, settings = ?
    WHERE id = ? RETURNING 1`
  const touched = await selectRows(client, sql, [settings, id])
  return touched.length > 0
}

export async function deleteProcess(client: QueryClientContract, id: string) {
  await client.from('processes').where({ id }).delete()
}

interface StoredProcess extends ProcessRow {
  started_at: number | string
  seen_at: number | string
}

export function selectLive(client: QueryClientContract) {
  const sql = `SELECT * FROM processes WHERE seen_at > ${databaseNow(client)} - ${LIVE_MS}
    ORDER BY started_at, id`
  return selectRows<StoredProcess>(client, sql, [])
}
