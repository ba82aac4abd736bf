import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import { pruneMails } from '#mails/mail_log'
import store from './service.ts'

/** Nothing waits for it: what has expired is refused whether its row is still there or not. */
const INTERVAL_MS = 600_000

/** Removes what has expired: sessions, attempts, limits, one-time tokens and sent mails. Tells how many rows or keys. */
export async function pruneExpired(now = Date.now()) {
  const fromStore = await store.prune(now)
  const tokens = await db.from('one_time_tokens').where('expires_at', '<=', now).delete()
  return fromStore + Number(tokens) + (await pruneMails(now))
}

/** Prunes from time to time until the process ends. Any number of processes may do so at once. */
export function startHousekeeping() {
  const tidy = () =>
    pruneExpired().catch((error) => logger.warn({ err: error }, 'what has expired was not removed'))
  setInterval(tidy, INTERVAL_MS).unref()
}
