import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import { pruneMails } from '#mails/mail_log'
import store from '#auth/store/service'

/** Nothing waits for it: what has expired is refused whether its row is still there or not. */
const INTERVAL_MS = 600_000

/** Removes what has expired: sessions, attempts, limits, one-time tokens, second steps and sent mails. Tells how many rows or keys. */
export async function pruneExpired(now = Date.now()) {
  const fromStore = await store.prune(now)
  let removed = fromStore + (await pruneMails(now))
  for (const table of ['one_time_tokens', 'mfa_enrolments', 'mfa_challenges', 'external_logins']) {
    removed += Number(await db.from(table).where('expires_at', '<=', now).delete())
  }
  return removed
}

/** Prunes from time to time until the process ends. Any number of processes may do so at once. */
export function startPruning() {
  const tidy = () =>
    pruneExpired().catch((error) => logger.warn({ err: error }, 'what has expired was not removed'))
  setInterval(tidy, INTERVAL_MS).unref()
}
