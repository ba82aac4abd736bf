import db from '@adonisjs/lucid/services/db'
import type { KeyAlgorithm } from '#auth/signing_keys/signing_key'
import { VersionedCache } from '#database/configuration_version'
import { lockName } from '#database/named_lock'
import type { Transaction } from '#database/transaction'

// Tokens of a deleted client are refused immediately. This file owns `client_deletions`.

const TABLE = 'client_deletions'

export interface DeletedClient {
  clientId: string
  backchannelLogoutUri: string | null
  /** The algorithm that signs the client's logout tokens. */
  idTokenAlgorithm?: KeyAlgorithm
}

/** Where back-channel logouts are sent, and the algorithm that signs them. */
export interface LogoutReceiver {
  uri: string
  algorithm: KeyAlgorithm
  /** Missing for a client in deletion: another one may get its public id while messages wait. */
  clientRowId?: string
}

export async function noteDeletedClient(
  { clientId, backchannelLogoutUri: uri, idTokenAlgorithm: algorithm = 'RS256' }: DeletedClient,
  trx: Transaction
) {
  const receiver = { backchannel_logout_uri: uri, id_token_algorithm: algorithm }
  const row = { client_id: clientId, ...receiver, requested_at: Date.now() }
  await trx.knexQuery().insert(row).into(TABLE).onConflict('client_id').ignore()
}

/** Orders a deletion and the consents to a client without a row; `exclusive` for the deletion. */
export function lockMetadataClient(
  clientId: string,
  mode: 'shared' | 'exclusive',
  trx: Transaction
) {
  return lockName(`client:${clientId}`, trx, mode)
}

/** Call it before looking up the session: the mark is removed after the last session has ended. */
export async function isDeletedClient(clientId: string | undefined, trx?: Transaction) {
  if (clientId === undefined) return false
  const client = trx ?? db
  return Boolean(await client.from(TABLE).where('client_id', clientId).first())
}

export async function listDeletedClients(): Promise<string[]> {
  const rows = await db.from(TABLE).select('client_id')
  return rows.map((row) => row.client_id)
}

const remembered = new VersionedCache<boolean>({ max: 10_000 })

/** Call it within `underOneConfiguration`. */
export async function isRememberedAsDeleted(clientId: string | undefined) {
  if (clientId === undefined) return false
  return remembered.find(clientId, () => isDeletedClient(clientId))
}

/** Prevents the registration of a client with this id until the transaction ends. */
export async function lockDeletion(clientId: string, trx: Transaction) {
  return Boolean(await trx.from(TABLE).where('client_id', clientId).forShare().first())
}

export async function logoutReceiversOfDeleted(clientIds: string[], trx: Transaction) {
  const rows = await trx.from(TABLE).whereIn('client_id', clientIds)
  return rows.filter((row) => row.backchannel_logout_uri !== null).map(toReceiver)
}

/** Also takes a row of `oauth_clients`. */
export function toReceiver(row: any): [clientId: string, LogoutReceiver] {
  const { backchannel_logout_uri: uri, id_token_algorithm: algorithm, id: clientRowId } = row
  return [row.client_id, { uri, algorithm, clientRowId }]
}

/** @returns null for a client that is not being deleted */
export async function deletionTime(clientId: string): Promise<number | null> {
  const row = await db.from(TABLE).where('client_id', clientId).first()
  return row ? Number(row.requested_at) : null
}

/** A new client with this id may already be in another deletion, with another `requestedAt`. */
export async function forgetDeletedClient(clientId: string, requestedAt?: number) {
  const rows = db.from(TABLE).where('client_id', clientId)
  if (requestedAt !== undefined) rows.where('requested_at', requestedAt)
  await rows.delete()
}
