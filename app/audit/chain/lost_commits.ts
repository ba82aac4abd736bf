import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import { onFailover } from '#database/incarnation'

/*
 | A promoted standby may lack the end of the history. A process may have committed events on it
 | before it notices, so it remembers the last event of each second.
 */

interface CommittedEvent {
  id: string
  occurredAt: number
}

const RETRY_MS = 3_000

/** An older event may have been pruned since. */
const CHECKED_MS = 86_400_000

const REMEMBERED_SECONDS = 10

const LOST =
  'the database has lost commits that were acknowledged: see docs/deploy.md, “After a failover”'

const lastOfSecond = new Map<number, CommittedEvent>()

export function noteCommitted(event: CommittedEvent) {
  lastOfSecond.set(Math.floor(event.occurredAt / 1_000), event)
  const [oldest] = lastOfSecond.keys()
  if (lastOfSecond.size > REMEMBERED_SECONDS) lastOfSecond.delete(oldest)
}

onFailover(() => {
  const events = [...lastOfSecond.values()]
  lastOfSecond.clear()
  check(events)
})

function check(events: CommittedEvent[]) {
  const recent = events.filter(({ occurredAt }) => Date.now() - occurredAt <= CHECKED_MS)
  reportLoss(recent).catch(() => setTimeout(() => check(recent), RETRY_MS).unref())
}

async function reportLoss(events: CommittedEvent[]) {
  const ids = events.map(({ id }) => id)
  const rows = await db.from('audit_events').whereIn('id', ids).select('id')
  const found = new Set(rows.map(({ id }) => id))
  const lost = events.find(({ id }) => !found.has(id))
  if (!lost) return
  const at = new Date(lost.occurredAt).toISOString()
  logger.error({ event: lost.id, occurredAt: at }, LOST)
}
