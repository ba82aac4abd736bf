import db from '@adonisjs/lucid/services/db'
import { BATCH_SIZE } from '#database/batches'
import { deleteAll, type Rows } from '#database/delete_some'
import { selectRows } from '#database/select_rows'

/** Leaves out the grants, which are sessions: they end with the user. */
function tokensOf(userId: string): Rows {
  return { table: 'oauth_records', where: `user_id = ? AND kind <> 'Grant'`, values: [userId] }
}

/** Each consent has up to 200 rows of scopes, which are deleted with it. */
function consentsOf(userId: string): Rows {
  return { table: 'oauth_consents', where: 'user_id = ?', values: [userId] }
}

const CONSENTS = 20

/** Returns true for more rows than the foreign keys can delete without delaying other requests. */
export async function hasManyTokens(userId: string) {
  return (
    (await exceeds(tokensOf(userId), BATCH_SIZE)) || (await exceeds(consentsOf(userId), CONSENTS))
  )
}

async function exceeds({ table, where, values }: Rows, size: number) {
  const sql = `SELECT 1 FROM ${table} WHERE ${where} LIMIT ?`
  const rows = await selectRows(db.connection(), sql, [...values, size + 1])
  return rows.length > size
}

/** Runs before a user is deleted. If the deletion fails, applications ask the user again. */
export async function deleteTokens(userId: string) {
  const client = db.connection()
  await deleteAll(client, tokensOf(userId))
  await deleteAll(client, consentsOf(userId), CONSENTS)
}
