import db from '@adonisjs/lucid/services/db'
import { validate as isUuid } from 'uuid'
import limits from '#config/limits'
import {
  isDeletedClient,
  lockMetadataClient,
  logoutReceiversOfDeleted,
  toReceiver,
} from '#auth/tokens/deleted_clients'
import { selectRows } from '#database/select_rows'
import { isUserId } from '#auth/tokens/client_ids'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { existingGroupIds, readNames } from '#groups/names_of'
import { groupIdsOf, toClient, toRow } from './client_row.ts'
import { isOwnAudience } from './own_audiences.ts'
import { isMetadataUrl } from './metadata_url.ts'
import type { Access, OAuthClient } from './client.ts'
import type { Transaction } from '#database/transaction'

/** Returns false if a client already has one of its ids. */
export async function insertClient(client: OAuthClient, trx: Transaction) {
  const row = toRow(client)
  const query = trx.knexQuery().insert(row).into('oauth_clients').onConflict().ignore()
  const inserted = await query.returning('id')
  return inserted.length === 1
}

/** Whether a client, a deletion, a user or our tokens use the id, which the insert has locked. */
export async function isIdUsed({ clientId }: OAuthClient, trx: Transaction) {
  if (isOwnAudience(clientId) || (await isDeletedClient(clientId, trx))) return true
  const isRowId = isUuid(clientId) && (await lockClient(clientId, trx)) !== null
  return isRowId || isUserId(clientId, trx)
}

export async function updateRow(client: OAuthClient, trx: Transaction) {
  await trx.from('oauth_clients').where('id', client.id).update(toRow(client))
}

export async function deleteRow(id: string, trx: Transaction) {
  return Number(await trx.from('oauth_clients').where('id', id).delete()) === 1
}

export async function lockClient(id: string, trx: Transaction) {
  if (!isUuid(id)) return null
  const rows = await trx.from('oauth_clients').where('id', id).forUpdate().limit(1)
  return firstOf(rows, trx)
}

export async function findClientById(id: string) {
  return isUuid(id) ? firstOf(await db.from('oauth_clients').where('id', id).limit(1)) : null
}

async function firstOf(rows: any[], trx?: Transaction): Promise<OAuthClient | null> {
  const [client = null] = await toClients(rows, trx)
  return client
}

/** Returns the clients with the names of their groups. */
export async function toClients(rows: any[], trx?: Transaction) {
  const ids = [...new Set(rows.flatMap(groupIdsOf))]
  const names = ids.length > 0 ? await readNames(ids, trx) : undefined
  return rows.map((row) => toClient(row, names))
}

/** RFC 6749, appendix A.1. Postgres cannot look up some other strings. */
const CLIENT_ID = new RegExp(`^[\\x21-\\x7e]{1,${limits.clientId}}$`)

/**
 * The lock lasts until the transaction ends. A deletion or a change of the access finds the
 * session, or the session finds that change. @returns null while no session may start
 */
export async function lockForSession(clientId: string, trx: Transaction) {
  if (!isMetadataUrl(clientId)) return lockRegistered(clientId, trx)
  await lockMetadataClient(clientId, 'shared', trx)
  return (await isDeletedClient(clientId, trx)) ? null : FOR_EVERYBODY
}

/** The setting that allows metadata documents applies to everybody. */
const FOR_EVERYBODY = { access: 'everybody' as const, allowedGroupIds: [], updatedAt: null }

interface LockedRow {
  access: Access
  allowed_groups: string
  updated_at: number | string
  is_deleted: boolean | number
}

/** An earlier client with the same id may still be in deletion. */
async function lockRegistered(clientId: string, trx: Transaction) {
  const lock = trx.dialect.name === 'postgres' ? 'FOR SHARE OF client' : ''
  const [row] = await selectRows<LockedRow>(
    trx,
    `SELECT client.access, client.allowed_groups, client.updated_at, EXISTS (
       SELECT 1 FROM client_deletions gone WHERE gone.client_id = client.client_id
     ) AS is_deleted FROM oauth_clients client WHERE client.client_id = ? ${lock}`,
    [clientId]
  )
  if (!row || row.is_deleted) return null
  const isRestricted = row.access === 'groups'
  const allowedGroupIds = isRestricted ? await existingGroupIds(groupIdsOf(row), trx) : []
  return { access: row.access, allowedGroupIds, updatedAt: Number(row.updated_at) }
}

export function isClientId(text: string) {
  return CLIENT_ID.test(text)
}

export async function findClient(clientId: string, trx?: Transaction) {
  if (!isClientId(clientId)) return null
  const rows = await (trx ?? db).from('oauth_clients').where('client_id', clientId).limit(1)
  return firstOf(rows, trx)
}

/** Finds a client by its API id or by its public id. @throws E_NOT_FOUND */
export async function getClientByNameOrFail(name: string) {
  const client = (await findClientById(name)) ?? (await findClient(name))
  if (!client) throw new E_NOT_FOUND(`No client has the id ${name}`)
  return client
}

export async function hasClients() {
  return Boolean(await db.from('oauth_clients').select('id').first())
}

export async function readClients() {
  const rows = await db.from('oauth_clients').orderBy('name').orderBy('id')
  return toClients(rows)
}

/** Leaves out clients whose service account is the user. */
export async function selectLogoutReceivers(
  { userId, clientIds }: { userId: string; clientIds: string[] },
  trx: Transaction
) {
  const rows = await trx
    .from('oauth_clients')
    .whereIn('client_id', clientIds)
    .whereNotNull('backchannel_logout_uri')
    .where((row) => row.whereNull('service_account_id').orWhereNot('service_account_id', userId))
    .select('id', 'client_id', 'backchannel_logout_uri', 'id_token_algorithm')
  return new Map([...(await logoutReceiversOfDeleted(clientIds, trx)), ...rows.map(toReceiver)])
}
