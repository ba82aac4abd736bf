import db from '@adonisjs/lucid/services/db'
import { BATCH_SIZE, inBatches } from '#database/batches'
import { selectRows } from '#database/select_rows'
import { ENDED_KIND, KIND } from './grant_rows.ts'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { Transaction } from '#database/transaction'

type OfGrant = { grantId: string; kind?: string }

/** An application may have made thousands of them: one statement would stop every request on SQLite. */
async function deleteSome({ grantId, kind }: OfGrant, size: number, client: QueryClientContract) {
  const row = client.dialect.name === 'postgres' ? 'ctid' : 'rowid'
  const ofKind = kind === undefined ? '' : 'AND kind = :kind'
  const deleted = await selectRows(
    client,
    `DELETE FROM oauth_records WHERE ${row} IN (SELECT ${row} FROM oauth_records
      WHERE grant_id = :grantId ${ofKind} LIMIT :size) RETURNING 1`,
    { grantId, size, ...(kind !== undefined && { kind }) }
  )
  return deleted.length
}

export function deleteOfGrant(kind: string, grantId: string) {
  return inBatches((size) => deleteSome({ grantId, kind }, size, db.connection()))
}

/** Of sessions that have ended. No code or token is good for anything without its grant. */
export async function endGrants(grantIds: string[], client: QueryClientContract) {
  const grants = () =>
    client.from('oauth_records').where('kind', KIND).whereIn('grant_id', grantIds)
  const ended = { kind: ENDED_KIND, grant_id: null }
  await grants().whereNotNull('web_session_id').update(ended)
  await grants().delete()
}

/** What is left of many codes and tokens goes as it expires. */
export async function deleteGrant(grantId: string, trx?: Transaction) {
  const client = trx ?? db.connection()
  await endGrants([grantId], client)
  await deleteSome({ grantId }, BATCH_SIZE, client)
}

/** Grants included. @returns their number */
export async function deleteOfClient(clientId: string, size: number, trx: Transaction) {
  const keys = await trx.from('oauth_records').where('client_id', clientId).limit(size)
  const ids = keys.map((row) => row.id_hash)
  await trx.from('oauth_records').where('client_id', clientId).whereIn('id_hash', ids).delete()
  return ids.length
}
