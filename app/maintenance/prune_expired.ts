import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import limits from '#config/limits'
import { endExpiredChallenges } from '#auth/mfa/abandoned_challenges'
import { finishDeletions as finishGroupDeletions } from '#groups/finish_deletions'
import { deleteUnusedGroups } from '#groups/provided/delete_unused'
import { leaveLapsedGroups } from '#groups/provided/leave_provided'
import { forgetDeletedGroups } from '#groups/uses'
import { pruneMails } from '#mails/log/delete_mails'
import { finishDeletions } from './finish_deletions.ts'
import { finishMailErasures } from '#mails/log/erase_mails'
import { maintainTrail } from '#audit/maintenance'
import { prunePendingEmails } from '#auth/tokens/pending_email'
import { pruneKeys } from '#auth/signing_keys/prune_keys'
import { deleteExpired } from '#database/delete_expired'
import { withoutStatement } from '#database/without_statement'
import { logExpiredKeys } from '#auth/api_keys/expiring'
import { remindOfExpiringKeys } from '#auth/api_keys/reminders'
import { pruneMessages } from '#queue/prune_messages'
import { pruneDeliveries } from '#webhooks/prune_deliveries'
import store from '#auth/store/service'

/** Rare enough to cost nothing: an expired row is refused even before it is removed. */
const INTERVAL_MS = 600_000

const EXPIRING_TABLES = [
  'api_keys',
  'known_devices',
  'one_time_tokens',
  'address_codes',
  'mfa_enrolments',
  'external_logins',
  'external_states',
  'passkey_challenges',
  'oauth_records',
  'oauth_client_documents',
]

const REFUSALS = { table: 'oauth_refusals', column: 'last_at' }

/** Each step returns the number of rows and keys that it removed. */
const STEPS: ((now: number) => Promise<number>)[] = [
  (now) => store.prune(now),
  pruneMails,
  endExpiredChallenges,
  pruneKeys,
  prunePendingEmails,
  ...EXPIRING_TABLES.map(
    (table) => (now: number) => deleteExpired(db.connection(), { table }, now)
  ),
  (now) => deleteExpired(db.connection(), REFUSALS, now - limits.refusals.keptMs),
  () => finishGroupDeletions(),
  leaveLapsedGroups,
  deleteUnusedGroups,
  () => forgetDeletedGroups(),
  pruneDeliveries,
  pruneMessages,
  () => finishMailErasures(),
  maintainTrail,
]

/**
 * A step that fails does not prevent the other steps.
 * @returns the number of removed rows and keys
 * @throws the errors of failed steps, at the end
 */
export async function pruneExpired(now = Date.now()) {
  const errors: Error[] = []
  let removed = 0
  for (const step of STEPS) {
    const count = await step(now).catch((error) => void errors.push(error))
    removed += count ?? 0
  }
  if (errors.length > 1) {
    const messages = errors.map(({ message }) => withoutStatement(message))
    throw new AggregateError(errors, messages.join('; '))
  }
  if (errors.length > 0) throw errors[0]
  return removed
}

/** Finishes what a killed process began to delete. Several processes may prune at the same time. */
export function startPruning() {
  void finishDeletions()
  void leaveGroupsOfRemovedProviders()
  const maintain = async () => {
    for (const work of [logExpiredKeys, pruneExpired, remindOfExpiringKeys])
      await work().catch((error) => logger.warn({ err: error }, 'what has expired was not removed'))
  }
  setInterval(() => void maintain(), INTERVAL_MS).unref()
}

/** The environment names providers, so a provider is only removed at a start. */
function leaveGroupsOfRemovedProviders() {
  return leaveLapsedGroups().catch((error) =>
    logger.warn({ err: error }, 'memberships of providers were not left')
  )
}
