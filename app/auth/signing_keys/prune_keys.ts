import string from '@adonisjs/core/helpers/string'
import db from '@adonisjs/lucid/services/db'
import settings from '#config/signing_keys'
import tokens from '#config/tokens'
import { KEY_PURPOSES, type KeyPurpose } from './signing_key.ts'

const DAY_MS = 86_400_000

// An application ends a session with its last ID token, so the key is kept for the whole session.
function keptMs(purpose: KeyPurpose, longestMs: number) {
  return purpose === 'access' ? DAY_MS : Math.max(DAY_MS, longestMs)
}

function replacedBefore(purpose: KeyPurpose, time: number) {
  const newest = db
    .from('signing_keys')
    .max('number')
    .where({ purpose })
    .whereNull('revoked_at')
    .where('signs_from', '<=', time)
  return db.from('signing_keys').where({ purpose }).where('number', '<', newest)
}

/** Removes the private parts of replaced keys, and removes keys that expired long ago. */
export async function pruneKeys(now: number) {
  const longestMs = await longestSessionMs()
  let removed = 0
  for (const purpose of KEY_PURPOSES) {
    removed += await prune(purpose, now, keptMs(purpose, longestMs))
  }
  return removed
}

/** Returns the longest time that a session with an application can last without a refresh. */
async function longestSessionMs() {
  const own = db.from('oauth_clients').whereNotNull('refresh_token_ttl')
  const rows = await own.distinct('refresh_token_ttl')
  const lifetimes = rows.map((row) => string.milliseconds.parse(row.refresh_token_ttl))
  return Math.max(tokens.refreshTtlMs, ...lifetimes)
}

async function prune(purpose: KeyPurpose, now: number, kept: number) {
  const replaced = replacedBefore(purpose, now - settings.publishedBeforeMs)
  await replaced.whereNotNull('private_key').update({ private_key: null })
  const before = now - kept
  return Number(await replacedBefore(purpose, before).where('tokens_until', '<=', before).delete())
}
