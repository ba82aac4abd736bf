import db from '@adonisjs/lucid/services/db'
import { selectRows } from '#database/select_rows'
import User from '#models/user'
import { hashToken } from '#auth/tokens/hash_token'
import { joinSession, sessionColumns, toSession, type SessionOfGrant } from './grant_session.ts'
import type { Transaction } from '#database/transaction'

/* This file owns `oauth_records`. An id is a token or a code: the table contains only its hash. */

/** These contain a token and are found by a user code or a cookie. Other payloads lack their id. */
export const ENCRYPTED_RECORDS = new Set(['DeviceCode', 'Interaction'])

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

export interface RecordKey {
  kind: string
  id: string
}

export interface Content extends RecordColumns {
  payload: string
  expiresAt: number
}

export const hashRecordId = ({ kind, id }: RecordKey) => hashToken(`${kind}:${id}`)

const hashUserCode = (code: string) => hashToken(`user_code:${code}`)

const where = (key: RecordKey) => ({ kind: key.kind, id_hash: hashRecordId(key) })

const rowsOf = (key: RecordKey, trx?: Transaction) =>
  (trx ?? db).from('oauth_records').where(where(key))

function toRow(key: RecordKey, { payload, expiresAt, ...columns }: Content) {
  const { grantId = null, clientId = null, userId = null, webSessionId = null } = columns
  const code = columns.userCode
  return {
    ...where(key),
    payload,
    expires_at: expiresAt,
    grant_id: grantId,
    client_id: clientId,
    user_id: userId,
    web_session_id: webSessionId,
    user_code_hash: code ? hashUserCode(code) : null,
  }
}

export interface NewRecord {
  key: RecordKey
  content: Content
}

export async function insertRecords(added: NewRecord[], trx: Transaction) {
  const rows = added.map(({ key, content }) => toRow(key, content))
  await trx.knexQuery().insert(rows).into('oauth_records')
}

/** Keeps whether the record was consumed. */
export async function upsertRecord(key: RecordKey, content: Content, trx?: Transaction) {
  const query = (trx ?? db).knexQuery().insert(toRow(key, content)).into('oauth_records')
  await query.onConflict(['kind', 'id_hash']).merge()
}

export async function removeOldest(kind: string, limit: number) {
  await db.rawQuery(
    `DELETE FROM oauth_records WHERE kind = :kind AND (expires_at, id_hash) <= (
       SELECT expires_at, id_hash FROM oauth_records WHERE kind = :kind
       ORDER BY expires_at DESC, id_hash DESC LIMIT 1 OFFSET :limit)`,
    { kind, limit }
  )
}

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

/** Returns true for the one caller that inserts the record, even if several try concurrently. */
export async function insertOnce(
  key: RecordKey,
  { payload, expiresAt }: Content,
  trx?: Transaction
) {
  const inserted = await selectRows(
    trx ?? db.connection(),
    `INSERT INTO oauth_records (kind, id_hash, payload, expires_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (kind, id_hash) DO NOTHING RETURNING kind`,
    [key.kind, hashRecordId(key), payload, expiresAt]
  )
  return inserted.length === 1
}

function toStored(row: any): StoredRecord | null {
  if (!row || Number(row.expires_at) <= Date.now()) return null
  const consumedAt = row.consumed_at === null ? null : Number(row.consumed_at)
  return { payload: row.payload, consumedAt }
}

export async function findRecord(key: RecordKey, trx?: Transaction) {
  return toStored(await rowsOf(key, trx).first())
}

/** A code with its grant and user, which its redemption needs. */
export interface FoundCode {
  code: StoredRecord | null
  grant: StoredRecord | null
  owner?: { id: string; version: string; read(): Promise<User | null> }
  /** Undefined if the session store has to be asked. */
  session?: SessionOfGrant
}

/** Columns for a statement that joins `oauth_records code` and passes its row to `toCode`. */
export const CODE_COLUMNS = `code.payload AS code_payload, code.expires_at AS code_expires_at,
  code.consumed_at AS code_consumed_at, issued.payload AS grant_payload,
  issued.expires_at AS grant_expires_at, issued.consumed_at AS grant_consumed_at,
  owner.*, ${sessionColumns('code', 'owner')}`

export const CODE_JOINS = `
  LEFT JOIN oauth_records issued ON issued.kind = 'Grant' AND issued.grant_id = code.grant_id
  LEFT JOIN users owner ON owner.id = code.user_id
  ${joinSession('code')}`

export async function findCode(key: RecordKey) {
  const sql = `SELECT ${CODE_COLUMNS} FROM oauth_records code ${CODE_JOINS}
    WHERE code.kind = ? AND code.id_hash = ?`
  const [row] = await selectRows<object>(db.connection(), sql, [key.kind, hashRecordId(key)])
  return toCode(row)
}

export function toCode(row: any): FoundCode {
  const read = async () => userOf(row)
  const owner = row?.id ? { id: row.id, version: row.version_id, read } : undefined
  const session = row && toSession(row)
  return { code: columnsWith('code_', row), grant: columnsWith('grant_', row), owner, session }
}

function columnsWith(prefix: string, row: any) {
  if (!row?.[`${prefix}payload`]) return null
  const columns = ['payload', 'expires_at', 'consumed_at']
  return toStored(Object.fromEntries(columns.map((name) => [name, row[prefix + name]])))
}

function userOf(row: object) {
  const isOwn = ([name]: [string, unknown]) => !/^(code|grant|session|evidence)_/.test(name)
  return User.$createFromAdapterResult(Object.fromEntries(Object.entries(row).filter(isOwn)))
}

export async function findByUserCode(kind: string, userCode: string) {
  const code = { kind, user_code_hash: hashUserCode(userCode) }
  return toStored(await db.from('oauth_records').where(code).first())
}

/** Returns true for the one caller that consumes the record. */
export function consumeRecord(key: RecordKey) {
  return consume(key, {})
}

export function answerRecord(key: RecordKey, payload: string, trx: Transaction) {
  return consume(key, { payload }, trx)
}

async function consume(key: RecordKey, more: { payload?: string }, trx?: Transaction) {
  const now = Date.now()
  const open = rowsOf(key, trx).whereNull('consumed_at').where('expires_at', '>', now)
  return Number(await open.update({ ...more, consumed_at: now })) === 1
}

export async function deleteRecord(key: RecordKey, trx?: Transaction) {
  return Number(await rowsOf(key, trx).delete()) === 1
}
