import db from '@adonisjs/lucid/services/db'
import { selectRows } from '#database/select_rows'
import type { Transaction } from '#database/transaction'

/* Grants among the records, and the records that belong to a grant. */

const KIND = 'Grant'

export interface GrantReference {
  grantId: string
  userId: string
  clientId: string
}

function toReference(row: any): GrantReference {
  return { grantId: row.grant_id, userId: row.user_id, clientId: row.client_id }
}

type Match = Partial<Record<'client_id' | 'user_id' | 'web_session_id', string>>

function currentGrants(match: Match, trx?: Transaction) {
  const grants = (trx ?? db).from('oauth_records').where({ kind: KIND, ...match })
  return grants.where('expires_at', '>', Date.now())
}

/** The grants that match, the newest first. */
export async function selectGrants(match: Match, trx?: Transaction): Promise<GrantReference[]> {
  const rows = await currentGrants(match, trx).orderBy('expires_at', 'desc')
  return rows.map(toReference)
}

/** Some grants of a client, of all users. */
export async function selectSomeGrants(clientId: string, limit: number): Promise<GrantReference[]> {
  const rows = await currentGrants({ client_id: clientId }).limit(limit)
  return rows.map(toReference)
}

/** Of all users. */
export async function countGrants(clientId: string, trx?: Transaction) {
  const [{ total }] = await currentGrants({ client_id: clientId }, trx).count('* as total')
  return Number(total)
}

/** Some users who have a grant with a client. */
export async function usersWithGrant(clientId: string, limit: number): Promise<string[]> {
  const rows = await currentGrants({ client_id: clientId }).distinct('user_id').limit(limit)
  return rows.map((row) => row.user_id)
}

/**
 * The last sign-in to each registered client that has grants, by client id, in milliseconds.
 * The newest grant of each is found by its index: reading all of them would stop others.
 */
export async function lastGrantTimes() {
  const rows = await selectRows<{ client_id: string; payload: string | null }>(
    db.connection(),
    `SELECT client.client_id, (
       SELECT payload FROM oauth_records AS record
        WHERE record.client_id = client.client_id AND record.kind = ?
        ORDER BY record.expires_at DESC LIMIT 1
     ) AS payload FROM oauth_clients AS client`,
    [KIND]
  )
  const found = rows.flatMap(({ client_id: id, payload }) => (payload ? [{ id, payload }] : []))
  return new Map(found.map(({ id, payload }) => [id, JSON.parse(payload).iat * 1_000]))
}

/** Removes every token of a grant of this kind. */
export async function deleteOfGrant(kind: string, grantId: string) {
  await db.from('oauth_records').where({ kind, grant_id: grantId }).delete()
}

/** Removes a grant with all that was issued for it. */
export async function deleteGrant(grantId: string, trx?: Transaction) {
  await (trx ?? db).from('oauth_records').where('grant_id', grantId).delete()
}

/** Removes so many records of a client, grants included; their number. */
export async function deleteOfClient(clientId: string, size: number) {
  const keys = await db.from('oauth_records').where('client_id', clientId).limit(size)
  const ids = keys.map((row) => row.id_hash)
  await db.from('oauth_records').where('client_id', clientId).whereIn('id_hash', ids).delete()
  return ids.length
}
