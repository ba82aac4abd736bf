import db from '@adonisjs/lucid/services/db'
import { BATCH_SIZE, inBatches } from '#database/batches'
import { selectRows } from '#database/select_rows'

const KIND = 'AccessToken'

/** More than the foreign key can delete with the user before other requests notice. */
export async function hasManyTokens(userId: string) {
  const some = db.from('oauth_records').where({ kind: KIND, user_id: userId })
  const rows = await some.limit(BATCH_SIZE + 1).select('id_hash')
  return rows.length > BATCH_SIZE
}

/** Of a user who is about to be deleted: if that fails, applications refresh. */
export function deleteTokens(userId: string) {
  const client = db.connection()
  const row = client.dialect.name === 'postgres' ? 'ctid' : 'rowid'
  const sql = `DELETE FROM oauth_records WHERE ${row} IN (SELECT ${row} FROM oauth_records
    WHERE user_id = :userId AND kind = '${KIND}' LIMIT :size) RETURNING 1`
  return inBatches(async (size) => {
    const deleted = await selectRows(client, sql, { userId, size })
    return deleted.length
  })
}
