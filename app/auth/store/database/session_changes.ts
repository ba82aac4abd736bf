import { selectRows } from '#database/select_rows'
import type { SessionRecord, SharedStart } from '#auth/store/contract'
import type { Transaction } from '#database/transaction'
import { toEnded, toRow } from './session_row.ts'

/** @returns the number of earlier live sessions, as SQLite and Postgres count them in the INSERT */
export async function insertSession(session: SessionRecord, trx: Transaction) {
  const { userId, createdAt } = session
  const earlier = trx.knexQuery().from('sessions').where('user_id', userId)
  const count = earlier.where('expires_at', '>', createdAt).count()
  const insert = trx.knexQuery().insert(toRow(session)).into('sessions')
  const total = trx.knexRawQuery('(?) AS total', [asValue(count)])
  const [row] = await insert.returning(asValue(total))
  return Number(row.total)
}

export async function startSharedSession(
  session: SessionRecord,
  start: SharedStart,
  trx: Transaction
) {
  const total = await insertSharedSession(session, start, trx)
  if (total === null) return null
  return total < start.limit ? [] : endOldest(session, start.limit, trx)
}

/** @returns the same number as `insertSession`, or null if it inserts nothing */
async function insertSharedSession(
  session: SessionRecord,
  { until, condition }: SharedStart,
  trx: Transaction
) {
  const [row, { userId, clientId }] = [toRow(session), session]
  const sql = `INSERT INTO sessions (${Object.keys(row).join(', ')})
    SELECT ${Object.keys(row)
      .map(() => '?')
      .join(', ')}
    WHERE ${condition.sql} AND NOT EXISTS (
      SELECT 1 FROM sessions WHERE user_id = ? AND client_id = ? AND expires_at > ?)
    RETURNING (SELECT count(*) FROM sessions WHERE user_id = ? AND expires_at > ?) AS total`
  const current = [userId, clientId, until, userId, session.createdAt]
  const bindings = [...Object.values(row), ...condition.bindings, ...current]
  const [inserted] = await selectRows<{ total: number | string }>(trx, sql, bindings)
  return inserted ? Number(inserted.total) : null
}

// Knex accepts a statement where its types require a text.
function asValue(statement: object) {
  return statement as unknown as string
}

export function endDevice(userId: string, deviceId: string, trx: Transaction) {
  return deleteSessions('user_id = ? AND device_id = ?', [userId, deviceId], trx)
}

/** Expired sessions stay until they are pruned, but do not count towards the limit. */
export function endOldest({ userId, createdAt }: SessionRecord, limit: number, trx: Transaction) {
  const surplus = `id IN (SELECT id FROM sessions WHERE user_id = ? AND expires_at > ?
    ORDER BY created_at DESC, id DESC LIMIT 1000 OFFSET ?)`
  return deleteSessions(surplus, [userId, createdAt, limit], trx)
}

// Knex does not support RETURNING for a DELETE on SQLite.
export async function deleteSessions(
  condition: string,
  bindings: (string | number)[],
  trx: Transaction
) {
  const sql = `DELETE FROM sessions WHERE ${condition} RETURNING id, client_id, expires_at`
  const rows = await selectRows<Record<string, any>>(trx, sql, bindings)
  return rows.map(toEnded)
}
