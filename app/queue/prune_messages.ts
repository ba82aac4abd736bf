import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import limits from '#config/limits'
import { isOutboundPaused } from '#backup/outbound_pause'
import { JOBS_TABLE, LOGOUT_QUEUE } from '#config/queue'
import { inBatches, yieldToEventLoop } from '#database/batches'
import { deleteAll } from '#database/delete_some'
import { selectRows } from '#database/select_rows'
import { waitingReceivers } from './next_job.ts'
import type { Receiver } from './receivers.ts'

/* Deletes messages for a receiver that is down or too slow: after a day, or beyond a bound. */

/** @returns the number of deleted messages */
export async function pruneMessages(now = Date.now()) {
  if (await isOutboundPaused()) return 0
  let removed = 0
  for (const receiver of await waitingReceivers(db.connection(), LOGOUT_QUEUE)) {
    await yieldToEventLoop()
    const of: Receiver = { queue: LOGOUT_QUEUE, receiver }
    const [expired, excess] = [await deleteExpiredMessages(of, now), await deleteExcess(of)]
    removed += expired + excess
    if (expired > 0) logger.warn({ ...of, count: expired }, 'messages were given up after a day')
    if (excess > 0) logger.warn({ ...of, count: excess }, 'messages were given up: too many waited')
  }
  return removed
}

/** @returns the number of deleted messages */
export async function deleteExpiredMessages(of: Receiver, now = Date.now()) {
  const before = now - limits.receiverJobs.lifetimeMs
  const pending = await inBatches((size) => deleteOldest(of, before, size))
  const delayed = {
    table: JOBS_TABLE,
    where: `queue = ? AND receiver = ? AND status = 'delayed' AND queued_at < ?`,
    values: [of.queue, of.receiver, before],
  }
  return pending + (await deleteAll(db.connection(), delayed))
}

/** Looks only at the oldest: SQLite reads the time of each job from its JSON. */
async function deleteOldest({ queue, receiver }: Receiver, before: number, size: number) {
  const client = db.connection()
  const row = client.dialect.name === 'postgres' ? 'ctid' : 'rowid'
  const deleted = await selectRows(
    client,
    `DELETE FROM ${JOBS_TABLE} WHERE status = 'pending' AND ${row} IN (
       SELECT job FROM (SELECT ${row} AS job, queued_at FROM ${JOBS_TABLE}
         WHERE queue = ? AND status = 'pending' AND receiver = ? ORDER BY score LIMIT ?) AS oldest
       WHERE queued_at < ?) RETURNING 1`,
    [queue, receiver, size, before]
  )
  return deleted.length
}

async function deleteExcess({ queue, receiver }: Receiver) {
  const where = `queue = ? AND status = 'pending' AND receiver = ?`
  const [first] = await selectRows<{ score: number | string; id: string }>(
    db.connection(),
    `SELECT score, id FROM ${JOBS_TABLE} WHERE ${where}
     ORDER BY score DESC, id DESC LIMIT 1 OFFSET ?`,
    [queue, receiver, limits.waitingMessages]
  )
  if (!first) return 0
  const values = [queue, receiver, Number(first.score), first.id]
  const excess = { table: JOBS_TABLE, where: `${where} AND (score, id) <= (?, ?)`, values }
  return deleteAll(db.connection(), excess)
}
