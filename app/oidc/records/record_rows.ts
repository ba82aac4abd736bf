import db from '@adonisjs/lucid/services/db'
import { selectRows } from '#database/select_rows'
import { hashToken } from '#auth/tokens/hash_token'
import type { Transaction } from '#database/transaction'

/*
 | This file owns the table `oauth_records`. An id is a token, a code or part of a cookie: its
 | hash is stored. What must not happen twice is one statement whose row count decides.
 */

/** What the table knows of a record beside its payload. */
export interface RecordColumns {
  grantId?: string | null
  clientId?: string | null
  userId?: string | null
  webSessionId?: string | null
  userCode?: string | null
}

export interface StoredRecord {
  payload: string
  consumedAt: number | null
}

export const hashRecordId = (kind: string, id: string) => hashToken(`${kind}:${id}`)

const hashUserCode = (code: string) => hashToken(`user_code:${code}`)

interface RecordKey {
  kind: string
  id: string
}

function where({ kind, id }: RecordKey) {
  return { kind, id_hash: hashRecordId(kind, id) }
}

function toRow(key: RecordKey, columns: RecordColumns) {
  const { grantId = null, clientId = null, userId = null, webSessionId = null } = columns
  const code = columns.userCode
  return {
    ...where(key),
    grant_id: grantId,
    client_id: clientId,
    user_id: userId,
    web_session_id: webSessionId,
    user_code_hash: code ? hashUserCode(code) : null,
  }
}

interface Content extends RecordColumns {
  payload: string
  expiresAt: number
}

/** Writes a record, or the current state of one; whether it was consumed stays as it is. */
export async function upsertRecord(
  key: RecordKey,
  { payload, expiresAt, ...columns }: Content,
  trx?: Transaction
) {
  const row = { ...toRow(key, columns), payload, expires_at: expiresAt }
  const query = (trx ?? db).knexQuery().insert(row).into('oauth_records')
  await query.onConflict(['kind', 'id_hash']).merge()
}

/** Removes the oldest records of a kind beyond this number. */
export async function removeOldest(kind: string, limit: number) {
  await db.rawQuery(
    `DELETE FROM oauth_records WHERE kind = :kind AND (expires_at, id_hash) <= (
       SELECT expires_at, id_hash FROM oauth_records WHERE kind = :kind
       ORDER BY expires_at DESC, id_hash DESC LIMIT 1 OFFSET :limit)`,
    { kind, limit }
  )
}

/** Removes the oldest records of a client beyond this number. */
export async function removeOldestOf(
  clientId: string,
  { kind, limit }: { kind: string; limit: number }
) {
  await db.rawQuery(
    `DELETE FROM oauth_records WHERE kind = :kind AND client_id = :clientId
       AND (expires_at, id_hash) <= (
         SELECT expires_at, id_hash FROM oauth_records WHERE kind = :kind AND client_id = :clientId
         ORDER BY expires_at DESC, id_hash DESC LIMIT 1 OFFSET :limit)`,
    { kind, clientId, limit }
  )
}

/** Writes a record that nobody may write twice; true for the one caller who did. */
export async function insertOnce(
  key: RecordKey,
  { payload, expiresAt }: Content,
  trx?: Transaction
) {
  const { kind, id_hash: idHash } = where(key)
  const inserted = await selectRows(
    trx ?? db.connection(),
    `INSERT INTO oauth_records (kind, id_hash, payload, expires_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (kind, id_hash) DO NOTHING RETURNING kind`,
    [kind, idHash, payload, expiresAt]
  )
  return inserted.length === 1
}

function toStored(row: any): StoredRecord | null {
  if (!row || Number(row.expires_at) <= Date.now()) return null
  const consumedAt = row.consumed_at === null ? null : Number(row.consumed_at)
  return { payload: row.payload, consumedAt }
}

export async function findRecord(key: RecordKey, trx?: Transaction) {
  return toStored(await (trx ?? db).from('oauth_records').where(where(key)).first())
}

export async function findByUserCode(kind: string, userCode: string) {
  const code = { kind, user_code_hash: hashUserCode(userCode) }
  return toStored(await db.from('oauth_records').where(code).first())
}

/** True for the one caller who consumed the record, however many try at once. */
export async function consumeRecord(key: RecordKey, now = Date.now()) {
  const changed = await db
    .from('oauth_records')
    .where(where(key))
    .whereNull('consumed_at')
    .where('expires_at', '>', now)
    .update({ consumed_at: now })
  return Number(changed) === 1
}

/**
 * Writes the answer to a record that waits for one; true for the one caller whose answer counts.
 * A record that was taken meanwhile stays away.
 */
export async function answerRecord(key: RecordKey, payload: string, trx: Transaction) {
  const now = Date.now()
  const changed = await trx
    .from('oauth_records')
    .where(where(key))
    .whereNull('consumed_at')
    .where('expires_at', '>', now)
    .update({ payload, consumed_at: now })
  return Number(changed) === 1
}

/** Removes a record; true for the one caller who did, however many try at once. */
export async function deleteRecord(key: RecordKey, trx?: Transaction) {
  return Number(await (trx ?? db).from('oauth_records').where(where(key)).delete()) === 1
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

export interface GrantReference {
  grantId: string
  userId: string
  clientId: string
}

const GRANT = 'Grant'

function toReference(row: any): GrantReference {
  return { grantId: row.grant_id, userId: row.user_id, clientId: row.client_id }
}

/** When somebody last signed in to each client whose grants are stored, by client id, in milliseconds. */
export async function lastGrantTimes() {
  const rows = await selectRows<{ client_id: string; payload: string }>(
    db.connection(),
    `SELECT record.client_id, record.payload FROM oauth_records AS record
     JOIN (SELECT client_id, max(expires_at) AS latest FROM oauth_records
           WHERE kind = ? GROUP BY client_id) AS newest
       ON newest.client_id = record.client_id AND newest.latest = record.expires_at
     WHERE record.kind = ?`,
    [GRANT, GRANT]
  )
  return new Map(rows.map((row) => [row.client_id, JSON.parse(row.payload).iat * 1_000]))
}

/** The grants that match, the newest first. */
export async function selectGrants(
  match: Partial<Record<'client_id' | 'user_id' | 'web_session_id', string>>,
  trx?: Transaction
): Promise<GrantReference[]> {
  const rows = await (trx ?? db)
    .from('oauth_records')
    .where({ kind: GRANT, ...match })
    .where('expires_at', '>', Date.now())
    .orderBy('expires_at', 'desc')
  return rows.map(toReference)
}

function liveGrants(clientId: string, trx?: Transaction) {
  const grants = (trx ?? db).from('oauth_records').where({ kind: GRANT, client_id: clientId })
  return grants.where('expires_at', '>', Date.now())
}

/** Of all users. */
export async function countGrants(clientId: string, trx: Transaction) {
  const [{ total }] = await liveGrants(clientId, trx).count('* as total')
  return Number(total)
}

/** Some users who have a grant with a client. */
export async function usersWithGrant(clientId: string, limit: number): Promise<string[]> {
  const rows = await liveGrants(clientId).distinct('user_id').limit(limit)
  return rows.map((row) => row.user_id)
}
