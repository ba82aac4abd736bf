import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import settings from '#config/api_keys'

const MOST_NAMED = 100

export interface ExpiringKey {
  id: string
  name: string
  /** The user who has to replace the key. */
  owner: string
  /** Milliseconds since the epoch. */
  expiresAt: number
}

/** Returns the keys whose owners were reminded, in the order of expiry. */
export function findExpiringKeys(now = Date.now()) {
  return findKeys({ from: now, until: now + settings.reminderMs })
}

/** Logs expired keys: their requests are refused from now on, and the rows will be removed. */
export async function logExpiredKeys(now = Date.now()) {
  for (const { id: keyId } of await findKeys({ from: 0, until: now })) {
    logger.warn({ keyId }, 'an API key has expired: create another one for what used it')
  }
}

async function findKeys({ from, until }: { from: number; until: number }): Promise<ExpiringKey[]> {
  const rows = await db
    .from('api_keys')
    .join('users', 'users.id', 'api_keys.user_id')
    .where('api_keys.expires_at', '>', from)
    .where('api_keys.expires_at', '<=', until)
    .orderBy('api_keys.expires_at')
    .limit(MOST_NAMED)
    .select('api_keys.id', 'api_keys.name', 'api_keys.expires_at', 'users.username')
  return rows.map(toExpiringKey)
}

function toExpiringKey({ id, name, username: owner, expires_at: at }: any): ExpiringKey {
  return { id, name, owner, expiresAt: Number(at) }
}
