import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import { endExpiredChallenges } from '#auth/mfa/abandoned_challenges'
import { pruneMails } from '#mails/log/delete_mails'
import { finishDeletions } from './finish_deletions.ts'
import { finishMailErasures } from '#mails/log/erase_mails'
import { maintainTrail } from '#audit/maintenance'
import { prunePendingEmails } from '#auth/tokens/pending_email'
import { pruneKeys } from '#auth/signing_keys/key_rows'
import { deleteExpired } from '#database/delete_expired'
import { remindOfExpiringKeys } from '#auth/api_keys/reminders'
import store from '#auth/store/service'

/** Rare enough to cost nothing: an expired row is refused whether it was removed or not. */
const INTERVAL_MS = 600_000

const EXPIRING_TABLES = [
  'api_keys',
  'known_devices',
  'one_time_tokens',
  'mfa_enrolments',
  'external_logins',
  'external_states',
  'passkey_challenges',
  'oauth_records',
  'oauth_client_documents',
]

/**
 * Removes expired sessions, login attempts, rate limits, one-time tokens, pending addresses,
 * MFA challenges and sent mails, records the challenges that were abandoned, and does what the audit trail
 * needs now and then. Returns how many rows or keys it removed.
 */
export async function pruneExpired(now = Date.now()) {
  let removed = await store.prune(now)
  for (const prune of [pruneMails, endExpiredChallenges, pruneKeys, prunePendingEmails]) {
    removed += await prune(now)
  }
  for (const table of EXPIRING_TABLES) {
    removed += await deleteExpired(db.connection(), { table }, now)
  }
  removed += await finishMailErasures()
  return removed + (await maintainTrail(now))
}

/**
 * Finishes what a process that was killed had begun to delete, then prunes, and reminds of API
 * keys, at an interval until the process ends. Several processes may do so at once.
 */
export function startPruning() {
  void finishDeletions()
  const maintain = () =>
    pruneExpired()
      .then(() => remindOfExpiringKeys())
      .catch((error) => logger.warn({ err: error }, 'what has expired was not removed'))
  setInterval(maintain, INTERVAL_MS).unref()
}
