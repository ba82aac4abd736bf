import db from '@adonisjs/lucid/services/db'
import settings from '#config/api_keys'
import User from '#models/user'
import { E_API_KEY_LIMIT, E_SCOPE } from '#auth/errors'
import { E_NOT_FOUND, invalidField } from '#exceptions/http_errors'
import { assertProvenActor } from '#auth/mfa/reauthentication'
import { throttleNewKeys } from '#auth/lockout/throttle'
import { hashToken } from '#auth/tokens/hash_token'
import { recordAudit } from '#audit/trail'
import { generateKey, isKeyId } from './key_format.ts'
import { queueKeyMails } from './key_mails.ts'
import { scopesOf, type Scope } from './scopes.ts'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

/*
 | API keys: made, listed, revoked and touched here, and read for each request by the
 | look-ups of the store. The key itself is shown once and stored as a SHA-256.
 */

export interface NewKey {
  name: string
  scopes: Scope[]
  /** In milliseconds since the epoch; without it the key lives for the default time. */
  expiresAt?: number
}

/** A key as its owner and administrators see it. */
export interface KeyRecord {
  id: string
  name: string
  scopes: string[]
  createdAt: string
  expiresAt: string
  lastUsedAt: string | null
  lastUsedIp: string | null
}

/**
 * Makes a key of a user. The row of the user is locked from the count to the insert, so that
 * parallel requests do not pass the limit.
 *
 * @returns its record and the key, which nobody can read again
 * @throws E_NOT_FOUND, E_SCOPE for a scope beyond the owner's role, E_API_KEY_LIMIT,
 * E_RECENT_LOGIN_REQUIRED, E_TOO_MANY_REQUESTS
 */
export async function createKey(userId: string, { expiresAt, ...given }: NewKey, actor: Actor) {
  const now = Date.now()
  assertProvenActor(actor)
  const newKey = { ...given, expiresAt: expiresAt ?? now + settings.ttlMs }
  assertExpiry(newKey.expiresAt, now)
  if (actor.id) await throttleNewKeys(userId)
  return db.transaction(async (trx) => {
    const user = await User.lockForUpdate(userId, trx)
    if (!user) throw new E_NOT_FOUND()
    assertGranted(newKey.scopes, user)
    await assertBelowLimit(userId, now, trx)
    const { id, key } = generateKey()
    const row = toRow({ ...newKey, id, key, userId, createdBy: actor.id, now })
    await trx.table('api_keys').insert(row)
    await queueKeyMails('api_key_created', { owner: user, key: row }, trx)
    const details = detailsOf(row)
    await recordAudit({ action: 'api_key.created', actor, targetId: userId, details }, trx)
    return { record: toRecord(row), key }
  })
}

/** @throws a validation error for a time that has passed, or is too far away */
function assertExpiry(expiresAt: number, now: number) {
  if (expiresAt > now && expiresAt <= now + settings.maxTtlMs) return
  const days = settings.maxTtlMs / 86_400_000
  const message = `The expiresAt field must be a time within the next ${days} days`
  throw invalidField('expiresAt', 'range', message)
}

function assertGranted(scopes: Scope[], owner: User) {
  const granted = scopesOf(owner)
  if (!scopes.every((scope) => granted.includes(scope))) throw new E_SCOPE()
}

/** What has expired makes room, so that the table is bounded for every user. */
async function assertBelowLimit(userId: string, now: number, trx: Transaction) {
  const ofUser = () => trx.from('api_keys').where('user_id', userId)
  await ofUser().where('expires_at', '<=', now).delete()
  const [{ total }] = await ofUser().count('* as total')
  if (Number(total) >= settings.limit) throw new E_API_KEY_LIMIT()
}

interface Row {
  id: string
  name: string
  scopes: string
  created_by: string | null
  created_at: number
  expires_at: number
  last_used_at: number | null
  last_used_ip: string | null
}

type MadeKey = Required<NewKey> & {
  id: string
  key: string
  userId: string
  createdBy: string | null
  now: number
}

/** A key that ends within the time of the reminder was made to be short: no mail recalls it. */
function toRow({ id, key, name, scopes, expiresAt, userId, createdBy, now }: MadeKey) {
  const remindAt = expiresAt - settings.reminderMs
  return {
    id,
    user_id: userId,
    created_by: createdBy,
    name,
    key_hash: hashToken(key),
    scopes: [...new Set(scopes)].join(' '),
    created_at: now,
    expires_at: expiresAt,
    remind_at: remindAt > now ? remindAt : null,
    last_used_at: null,
    last_used_ip: null,
  }
}

function detailsOf({ id, name, scopes, expires_at: expiresAt }: Row) {
  return { keyId: id, name, scopes, expiresAt: new Date(Number(expiresAt)).toISOString() }
}

function toRecord(row: Row): KeyRecord {
  const iso = (at: number | null) => (at === null ? null : new Date(Number(at)).toISOString())
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes.split(' '),
    createdAt: iso(row.created_at)!,
    expiresAt: iso(row.expires_at)!,
    lastUsedAt: iso(row.last_used_at),
    lastUsedIp: row.last_used_ip,
  }
}

/** The keys of a user that have not expired, the newest first. */
export async function listKeys(userId: string): Promise<KeyRecord[]> {
  const rows: Row[] = await db
    .from('api_keys')
    .where('user_id', userId)
    .where('expires_at', '>', Date.now())
    .orderBy('created_at', 'desc')
    .orderBy('id')
  return rows.map(toRecord)
}

/** A key with its owner, as operators see it. */
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

type OwnedRow = Row & { user_id: string; kind: string; email: string; username: string }

function toOwnedKey({ user_id: userId, kind, email, username, ...row }: OwnedRow): OwnedKey {
  return { ...toRecord(row), userId, owner: kind === 'service' ? username : email }
}

/** The keys of a user, or of all, the newest first. */
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

/**
 * Revokes a key of a user: the next request with it is refused, on every process.
 *
 * @throws E_NOT_FOUND for a key of somebody else, too
 */
export async function revokeKey(userId: string, keyId: string, actor: Actor) {
  if (!isKeyId(keyId)) throw new E_NOT_FOUND()
  await db.transaction(async (trx) => {
    const key: Row | null = await trx.from('api_keys').where({ id: keyId, user_id: userId }).first()
    const revoked = await trx.from('api_keys').where({ id: keyId, user_id: userId }).delete()
    if (!key || Number(revoked) !== 1) throw new E_NOT_FOUND()
    const details = { keyId, name: key.name }
    await recordAudit({ action: 'api_key.revoked', actor, targetId: userId, details }, trx)
  })
}

/** Revokes the keys of a user that were made since a time, and returns their number. */
export async function revokeKeysSince(userId: string, since: number, trx: Transaction) {
  const made = trx.from('api_keys').where('user_id', userId).where('created_at', '>=', since)
  return Number(await made.delete())
}

/** Revokes those of them that the user made, and leaves those of administrators. */
export async function revokeKeysMadeBy(userId: string, since: number, trx: Transaction) {
  const own = trx.from('api_keys').where({ user_id: userId, created_by: userId })
  return Number(await own.where('created_at', '>=', since).delete())
}

/** Notes the use of a key, unless another process has just done so. */
export async function touchKey(id: string, ip: string, now: number) {
  await db
    .from('api_keys')
    .where('id', id)
    .where((key) =>
      key.whereNull('last_used_at').orWhere('last_used_at', '<', now - settings.touchIntervalMs)
    )
    .update({ last_used_at: now, last_used_ip: ip })
}
