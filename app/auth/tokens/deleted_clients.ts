import db from '@adonisjs/lucid/services/db'
import type { Transaction } from '#database/transaction'

// Tokens of a deleted client are refused at once. This file owns `client_deletions`.

const TABLE = 'client_deletions'

interface DeletedClient {
  clientId: string
  backchannelLogoutUri: string | null
}

export async function noteDeletedClient(
  { clientId, backchannelLogoutUri: uri }: DeletedClient,
  trx: Transaction
) {
  const row = { client_id: clientId, backchannel_logout_uri: uri, requested_at: Date.now() }
  await trx.knexQuery().insert(row).into(TABLE).onConflict('client_id').ignore()
}

/** Orders a deletion and the consents to a client without a row; `exclusive` for the deletion. */
export async function lockMetadataClient(
  clientId: string,
  mode: 'shared' | 'exclusive',
  trx: Transaction
) {
  if (trx.dialect.name !== 'postgres') return
  const lock = mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock'
  await trx.rawQuery(`SELECT ${lock}(hashtextextended(?, 0))`, [`client:${clientId}`])
}

/** Call it before the look-up of the session: the mark goes after the last session has ended. */
export async function isDeletedClient(clientId: string | undefined, trx?: Transaction) {
  if (clientId === undefined) return false
  const client = trx ?? db
  return Boolean(await client.from(TABLE).where('client_id', clientId).first())
}

export async function logoutUrisOfDeleted(clientIds: string[], trx: Transaction) {
  const rows = await trx.from(TABLE).whereIn('client_id', clientIds)
  const told = rows.filter((row) => row.backchannel_logout_uri !== null)
  return told.map((row): [string, string] => [row.client_id, row.backchannel_logout_uri])
}

export async function forgetDeletedClient(clientId: string) {
  await db.from(TABLE).where('client_id', clientId).delete()
}
