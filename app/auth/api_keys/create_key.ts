import limits from '#config/limits'
import db from '@adonisjs/lucid/services/db'
import settings from '#config/api_keys'
import type User from '#models/user'
import { assertRequiredFactors } from '#auth/sessions/required_factors'
import { E_API_KEY_LIMIT, E_INSUFFICIENT_SCOPE } from '#auth/errors'
import { invalidField } from '#exceptions/http_errors'
import { assertMay } from '#auth/callers/permissions'
import { lockForChange } from '#auth/lock_for_change'
import { throttleNewKeys } from '#auth/lockout/throttle'
import { hashToken } from '#auth/tokens/hash_token'
import { record } from '#events/record'
import { generateKey, keyIdOfForm } from './key_format.ts'
import { findRecipients, serviceNameOf } from './key_mails.ts'
import { toRecord, type KeyRow } from './key_record.ts'
import { scopesOf, type Scope } from './scopes.ts'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

export interface NewKey {
  name: string
  scopes: Scope[]
  /** Milliseconds since the epoch; defaults to the end of the configured lifetime. */
  expiresAt?: number
  /** The id of the completed form. If the form is sent again, no second key is created. */
  formId?: string
}

type CheckedKey = NewKey & { userId: string; expiresAt: number; now: number }

/**
 * Locks the user's row, so that parallel requests stay in the limit. @returns the key, only now
 * @throws E_NOT_FOUND, E_INSUFFICIENT_SCOPE for a scope beyond the owner's role, E_API_KEY_LIMIT,
 * E_RECENT_LOGIN_REQUIRED, E_MFA_ENROLMENT_REQUIRED, E_TOKEN_REVOKED, E_TOO_MANY_REQUESTS
 */
export async function createKey(userId: string, given: NewKey, actor: Actor) {
  const now = Date.now()
  assertMay('api_key.create', actor)
  const newKey = { ...given, expiresAt: given.expiresAt ?? now + settings.ttlMs, userId, now }
  assertExpiry(newKey)
  if (actor.id) await throttleNewKeys(userId)
  await assertRequiredFactors(actor)
  return db.transaction(async (trx) => {
    const user = await lockForChange(userId, actor, trx)
    assertGranted(newKey.scopes, user)
    const ofForm = await findKeyOfForm(newKey, trx)
    if (ofForm.isUnused) return replaceSecret(ofForm.row, trx)
    await assertBelowLimit(newKey, trx)
    return insertKey({ ...newKey, ...generateKey(ofForm.freeId) }, { owner: user, actor }, trx)
  })
}

function assertExpiry({ expiresAt, now }: CheckedKey) {
  if (expiresAt > now && expiresAt <= now + settings.maxTtlMs) return
  const days = settings.maxTtlMs / 86_400_000
  const message = `The expiresAt field must be a time within the next ${days} days`
  throw invalidField('expiresAt', 'range', message)
}

function assertGranted(scopes: Scope[], owner: User) {
  const granted = scopesOf(owner)
  if (!scopes.every((scope) => granted.includes(scope))) throw new E_INSUFFICIENT_SCOPE()
}

type KeyOfForm = { isUnused: true; row: KeyRow } | { isUnused: false; freeId?: string }

async function findKeyOfForm(newKey: CheckedKey, trx: Transaction): Promise<KeyOfForm> {
  if (!newKey.formId) return { isUnused: false }
  const id = keyIdOfForm(newKey.formId, newKey.userId)
  const row: KeyRow | null = await trx.from('api_keys').where('id', id).first()
  if (!row) return { isUnused: false, freeId: id }
  return row.last_used_at === null ? { isUnused: true, row } : { isUnused: false }
}

// A browser shows only the second response, so the first secret was never seen and is replaced.
async function replaceSecret(row: KeyRow, trx: Transaction) {
  const { key } = generateKey(row.id)
  await trx
    .from('api_keys')
    .where('id', row.id)
    .update({ key_hash: hashToken(key) })
  return { record: toRecord(row), key }
}

// Expired keys are deleted first, so that the rows of each user are bounded.
async function assertBelowLimit({ userId, now }: CheckedKey, trx: Transaction) {
  const ofUser = () => trx.from('api_keys').where('user_id', userId)
  await ofUser().where('expires_at', '<=', now).delete()
  const [{ total }] = await ofUser().count('* as total')
  if (Number(total) >= limits.apiKeys) throw new E_API_KEY_LIMIT()
}

type MadeKey = CheckedKey & { id: string; key: string }

async function insertKey(
  made: MadeKey,
  { owner, actor }: { owner: User; actor: Actor },
  trx: Transaction
) {
  const row = toRow(made, actor.id)
  await trx.table('api_keys').insert(row)
  const details = detailsOf(row)
  const recipients = await findRecipients({ owner, key: row }, trx)
  const context = { recipients, account: serviceNameOf(owner) }
  await record(trx, { type: 'api_key.created', user: owner, actor, details, context })
  return { record: toRecord(row), key: made.key }
}

function toRow(made: MadeKey, createdBy: string | null) {
  const remindAt = made.expiresAt - settings.reminderMs
  return {
    id: made.id,
    user_id: made.userId,
    created_by: createdBy,
    name: made.name,
    key_hash: hashToken(made.key),
    scopes: [...new Set(made.scopes)].join(' '),
    created_at: made.now,
    expires_at: made.expiresAt,
    remind_at: remindAt > made.now ? remindAt : null,
    last_used_at: null,
    last_used_ip: null,
  }
}

function detailsOf({ id, name, scopes, expires_at: expiresAt }: KeyRow) {
  return { keyId: id, name, scopes, expiresAt: new Date(Number(expiresAt)).toISOString() }
}
