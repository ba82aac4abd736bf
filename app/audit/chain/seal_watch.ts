import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import settings from '#config/audit'
import { sealPending } from './sealer.ts'
import { findSealLag, isSealOverdue } from './unsealed.ts'

let loggedAt: number | null = null

/** Seals what a killed process left. Logs the start and end of a delay, and repeats it hourly. */
export async function watchSealing(now = Date.now()) {
  if (await isSealOverdue(db.connection())) await sealPending().catch(() => {})
  const lag = await findSealLag(db.connection())
  if (lag > settings.sealOverdueMs) return logOverdue(lag, now)
  if (loggedAt !== null) logger.info('every audit event is sealed again')
  loggedAt = null
}

function logOverdue(lag: number, now: number) {
  if (loggedAt !== null && now - loggedAt < settings.headIntervalMs) return
  loggedAt = now
  const seconds = Math.floor(lag / 1_000)
  logger.error({ seconds }, 'audit events are not sealed in time: audit:verify names them')
}

export function startWatching() {
  const watch = () => watchSealing().catch(() => {})
  setInterval(watch, settings.sealWatchMs).unref()
}
