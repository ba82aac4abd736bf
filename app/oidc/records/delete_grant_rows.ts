import db from '@adonisjs/lucid/services/db'
import { BATCH_SIZE } from '#database/batches'
import { deleteAll, deleteSome } from '#database/delete_some'
import { ENDED_KIND, KIND } from './grant_rows.ts'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { Transaction } from '#database/transaction'

const TABLE = 'oauth_records'

export function deleteOfGrant(kind: string, grantId: string) {
  const rows = { table: TABLE, where: 'grant_id = ? AND kind = ?', values: [grantId, kind] }
  return deleteAll(db.connection(), rows)
}

/** Ends the grants of ended sessions. A code or token is useless without its grant. */
export async function endGrants(grantIds: string[], client: QueryClientContract) {
  const grants = () => client.from(TABLE).where('kind', KIND).whereIn('grant_id', grantIds)
  const ended = { kind: ENDED_KIND, grant_id: null }
  await grants().whereNotNull('web_session_id').update(ended)
  await grants().delete()
}

/** Deletes one batch of codes and tokens, because there may be thousands. The others expire. */
export async function deleteGrant(grantId: string, trx?: Transaction) {
  const client = trx ?? db.connection()
  await endGrants([grantId], client)
  await deleteSome(client, { table: TABLE, where: 'grant_id = ?', values: [grantId] }, BATCH_SIZE)
}

/** Also deletes grants. @returns the number of deleted rows */
export function deleteOfClient(clientId: string, size: number, trx: Transaction) {
  return deleteSome(trx, { table: TABLE, where: 'client_id = ?', values: [clientId] }, size)
}
