import { timingSafeEqual } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import settings from '#config/api_keys'
import store from '#auth/store/service'
import { hashToken } from '#auth/tokens/hash_token'
import { lacksVerifiedEmail } from '#models/verified_email'
import { NO_SESSION } from '#auth/guards/caller'
import { keyIdOf } from './key_format.ts'
import { scopesOf, type Scope } from './scopes.ts'
import type { Logger } from '@adonisjs/core/logger'
import type { ApiKeyRow } from '#auth/store/database/api_key_row'

interface KeyUse {
  ip: string
  logger: Logger
}

/** Returns null for a revoked, expired or unknown key. Any commit drops the cached rows. */
export async function findKeyCaller(key: string, { ip, logger }: KeyUse) {
  const now = Date.now()
  const row = await findActiveKey(key, now)
  if (!row) return null
  if (now - (row.last_used_at ?? 0) > settings.touchIntervalMs) touch(row.id, { ip, logger }, now)
  const { user_id: userId, email, role, user_version: version } = row
  const apiKey = { id: row.id, scopes: effectiveScopes(row) }
  return { user: { id: userId, email, role, version }, session: NO_SESSION, apiKey }
}

/** Records no use. Returns null for a key that no route accepts. */
export async function findActiveKey(key: string, now: number) {
  const id = keyIdOf(key)
  const row = id ? await store.findApiKey(id) : null
  return row && isActive(row, key, now) ? row : null
}

// A lock does not affect API keys or refresh tokens: it only prevents sign-ins.
function isActive(row: ApiKeyRow, key: string, now: number) {
  if (row.expires_at <= now || row.must_change_password) return false
  const isVerified = row.kind === 'service' || row.email_verified_at !== null
  if (lacksVerifiedEmail(isVerified)) return false
  return timingSafeEqual(Buffer.from(row.key_hash), Buffer.from(hashToken(key)))
}

/** Returns none after a demotion: the key is refused, and not reduced to scopes never chosen. */
export function effectiveScopes(row: ApiKeyRow): readonly Scope[] {
  const scopes = row.scopes.split(' ') as Scope[]
  const granted = scopesOf(row)
  return scopes.every((scope) => granted.includes(scope)) ? scopes : []
}

// Not awaited: the last use is informative, so no request waits for it or fails.
function touch(id: string, { ip, logger }: KeyUse, now: number) {
  writeLastUse(id, ip, now).catch((error) =>
    logger.warn({ err: error }, 'last use of an API key was not written')
  )
}

async function writeLastUse(id: string, ip: string, now: number) {
  const before = now - settings.touchIntervalMs
  await db
    .from('api_keys')
    .where('id', id)
    .where((key) => key.whereNull('last_used_at').orWhere('last_used_at', '<', before))
    .update({ last_used_at: now, last_used_ip: ip })
}
