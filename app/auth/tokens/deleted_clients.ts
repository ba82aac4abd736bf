import db from '@adonisjs/lucid/services/db'
import type { Transaction } from '#database/transaction'

/*
 | Clients that were deleted while sessions with them are still ended. Their tokens are refused
 | from the commit of the deletion. This file owns the table `client_deletions`.
 */

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

/**
 * Orders the deletion of a client that describes itself and what people allow it meanwhile: it
 * has no row to lock. On SQLite one transaction writes at a time.
 *
 * @param mode `exclusive` for the deletion
 */
export async function lockMetadataClient(
  clientId: string,
  mode: 'shared' | 'exclusive',
  trx: Transaction
) {
  if (trx.dialect.name !== 'postgres') return
  const lock = mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock'
  await trx.rawQuery(`SELECT ${lock}(hashtextextended(?, 0))`, [`client:${clientId}`])
}

/**
 * Ask before the session of a token is looked up: the note goes when the last session has
 * ended, so that one of the two refuses the token at each moment.
 */
export async function isDeletedClient(clientId: string | undefined, trx?: Transaction) {
  if (clientId === undefined) return false
  const client = trx ?? db
  return Boolean(await client.from(TABLE).where('client_id', clientId).first())
}

/** Where deleted clients are told of the sessions that end, by client. */
export async function logoutUrisOfDeleted(clientIds: string[], trx: Transaction) {
  const rows = await trx.from(TABLE).whereIn('client_id', clientIds)
  const told = rows.filter((row) => row.backchannel_logout_uri !== null)
  return told.map((row): [string, string] => [row.client_id, row.backchannel_logout_uri])
}

export async function forgetDeletedClient(clientId: string) {
  await db.from(TABLE).where('client_id', clientId).delete()
}
