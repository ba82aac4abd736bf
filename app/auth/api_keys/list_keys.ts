import db from '@adonisjs/lucid/services/db'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { isKeyId } from './key_format.ts'
import { toRecord, type KeyRecord, type KeyRow } from './key_record.ts'

/** Returns the active keys, the newest first. */
export async function listKeys(userId: string): Promise<KeyRecord[]> {
  const rows: KeyRow[] = await db
    .from('api_keys')
    .where('user_id', userId)
    .where('expires_at', '>', Date.now())
    .orderBy('created_at', 'desc')
    .orderBy('id')
  return rows.map(toRecord)
}

export interface OwnedKey extends KeyRecord {
  userId: string
  owner: string
}

function selectWithOwners() {
  return db
    .from('api_keys')
    .join('users', 'users.id', 'api_keys.user_id')
    .where('api_keys.expires_at', '>', Date.now())
    .select('api_keys.*', 'users.email', 'users.username', 'users.kind')
}

type OwnedRow = KeyRow & { user_id: string; kind: string; email: string; username: string }

function toOwnedKey({ user_id: userId, kind, email, username, ...row }: OwnedRow): OwnedKey {
  return { ...toRecord(row), userId, owner: kind === 'service' ? username : email }
}

export async function listKeysWithOwners({ userId, limit }: { userId?: string; limit: number }) {
  const query = selectWithOwners().orderBy('api_keys.created_at', 'desc').limit(limit)
  if (userId) query.where('api_keys.user_id', userId)
  const rows = await query
  return rows.map(toOwnedKey)
}

/** @throws E_NOT_FOUND */
export async function getKeyWithOwnerOrFail(keyId: string): Promise<OwnedKey> {
  const row = isKeyId(keyId) ? await selectWithOwners().where('api_keys.id', keyId).first() : null
  if (!row) throw new E_NOT_FOUND(`No API key has the id ${keyId}`)
  return toOwnedKey(row)
}
