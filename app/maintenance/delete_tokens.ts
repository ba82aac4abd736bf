import db from '@adonisjs/lucid/services/db'
import { BATCH_SIZE, inBatches } from '#database/batches'
import { selectRows } from '#database/select_rows'

/** Without the grants, which are sessions: they end with the user. */
const OF_USER = `user_id = ? AND kind <> 'Grant'`

/** More than the foreign keys can delete with the user before other requests notice. */
export async function hasManyTokens(userId: string) {
  const some = db.from('oauth_records').whereRaw(OF_USER, [userId])
  const rows = await some.limit(BATCH_SIZE + 1).select('id_hash')
  return rows.length > BATCH_SIZE
}

/** Of a user who is about to be deleted: if that fails, applications ask the user again. */
export function deleteTokens(userId: string) {
  const client = db.connection()
  const row = client.dialect.name === 'postgres' ? 'ctid' : 'rowid'
  const sql = `DELETE FROM oauth_records WHERE ${row} IN
    (SELECT ${row} FROM oauth_records WHERE ${OF_USER} LIMIT ?) RETURNING 1`
  return inBatches(async (size) => {
    const deleted = await selectRows(client, sql, [userId, size])
    return deleted.length
  })
}
