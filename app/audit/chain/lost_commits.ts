import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import { onTakeover } from '#database/incarnation'

/*
 | A promoted standby lacks the end of the history, so that the last committed event shows a loss.
 */

interface CommittedEvent {
  id: string
  occurredAt: number
}

const RETRY_MS = 3_000

/** An older event may have been pruned since. */
const CHECKED_MS = 86_400_000

const LOST =
  'the database has lost commits that were acknowledged: see docs/deploy.md, “After a failover”'

let last: CommittedEvent | null = null

export function noteCommitted(event: CommittedEvent) {
  last = event
}

onTakeover(check)

function check() {
  if (!last || Date.now() - last.occurredAt > CHECKED_MS) return
  reportLoss(last).catch(() => setTimeout(check, RETRY_MS).unref())
}

async function reportLoss({ id, occurredAt }: CommittedEvent) {
  const found = await db.from('audit_events').where('id', id).select('id').first()
  const at = new Date(occurredAt).toISOString()
  if (!found) logger.error({ event: id, occurredAt: at }, LOST)
}
