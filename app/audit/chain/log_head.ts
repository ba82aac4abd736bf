import logger from '@adonisjs/core/services/logger'
import settings from '#config/audit'

let loggedForged = ''

/** Logs each set of events only one time, and not at every run. */
export function logForged(ids: string[]) {
  const [first, last] = [ids.at(0), ids.at(-1)]
  const found = `${ids.length} ${first} ${last}`
  if (first && found !== loggedForged) {
    logger.error({ events: ids.length, first, last }, 'audit events are forged and were not sealed')
  }
  loggedForged = found
}

let loggedAt = 0

let loggedHash = ''

/** A head in the log, on another machine, shows later that a restored database lacks events. */
export function logHead({ sequence, hash }: { sequence: number; hash: string }, isUrgent: boolean) {
  const isDue = Date.now() - loggedAt >= settings.headIntervalMs
  if (hash === loggedHash || !(isUrgent || isDue)) return
  loggedAt = Date.now()
  loggedHash = hash
  logger.info({ sequence, hash }, 'audit head')
}
