import { selectRows } from '#database/select_rows'
import type { SessionRecord } from '#auth/store/contract'
import type { Transaction } from '#database/transaction'
import { toEnded, toRow } from './session_row.ts'

/** @returns the number of earlier sessions, as SQLite and Postgres count them in the INSERT */
export async function insertSession(session: SessionRecord, trx: Transaction) {
  const count = trx.knexQuery().from('sessions').where('user_id', session.userId).count()
  const insert = trx.knexQuery().insert(toRow(session)).into('sessions')
  const total = trx.knexRawQuery('(?) AS total', [asValue(count)])
  const [row] = await insert.returning(asValue(total))
  return Number(row.total)
}

// Knex takes a statement where its types ask for a text.
function asValue(statement: object) {
  return statement as unknown as string
}

export function endDevice(userId: string, deviceId: string, trx: Transaction) {
  return deleteSessions('user_id = ? AND device_id = ?', [userId, deviceId], trx)
}

export function endOldest(userId: string, limit: number, trx: Transaction) {
  const surplus = `id IN (SELECT id FROM sessions WHERE user_id = ?
    ORDER BY created_at DESC, id DESC LIMIT 1000 OFFSET ?)`
  return deleteSessions(surplus, [userId, limit], trx)
}

// Knex has no RETURNING of a DELETE on SQLite.
export async function deleteSessions(
  condition: string,
  bindings: (string | number)[],
  trx: Transaction
) {
  const sql = `DELETE FROM sessions WHERE ${condition} RETURNING id, client_id, expires_at`
  const rows = await selectRows<Record<string, any>>(trx, sql, bindings)
  return rows.map(toEnded)
}
