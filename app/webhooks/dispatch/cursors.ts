import logger from '@adonisjs/core/services/logger'
import { isPausedWithin } from '#backup/outbound_pause'
import { BATCH_SIZE } from '#database/batches'
import { selectRows } from '#database/select_rows'
import { isWanted, readEvents } from './matching_events.ts'
import { hasCapacity } from './capacity.ts'
import { LONGEST_FAILURE_MS } from './retry_delays.ts'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { Transaction } from '#database/transaction'

/* How far the trail was cut for each enabled webhook. */

export interface Cursor {
  id: string
  events: string[]
  /** Null until the event that enabled the webhook is sealed. */
  cut: number | null
  startsWith: string | null
  cutAt: number | null
}

/** @param head the sequence of the last sealed event; 0 before the first one */
export interface Cursors {
  head: number
  cursors: Cursor[]
}

type Row = { head: number | string | null } & Record<'id' | 'events', string> &
  Record<'starts_with', string | null> &
  Record<'cut_sequence' | 'cut_at', number | string | null>

/** One statement, because two would see different moments. */
export async function readCursors(client: QueryClientContract): Promise<Cursors> {
  const rows = await selectRows<Row>(
    client,
    `SELECT id, events, starts_with, cut_sequence, cut_at,
       (SELECT sequence FROM audit_chain WHERE id = 1) AS head
     FROM webhooks WHERE disabled_at IS NULL ORDER BY id`,
    []
  )
  const cursors = rows.map((row) => ({
    id: row.id,
    events: JSON.parse(row.events),
    cut: numberOrNull(row.cut_sequence),
    startsWith: row.starts_with,
    cutAt: numberOrNull(row.cut_at),
  }))
  return { head: Number(rows.at(0)?.head ?? 0), cursors }
}

const numberOrNull = (value: number | string | null) => (value === null ? null : Number(value))

/** @throws if another change moved a cursor first: the transaction begins again */
export async function moveCursors(
  cursors: Cursor[],
  { to, now }: { to: number; now: number },
  trx: Transaction
) {
  for (const { id, cut } of cursors) {
    const query = trx.from('webhooks').where('id', id).whereNull('disabled_at')
    const found = cut === null ? query.whereNull('cut_sequence') : query.where('cut_sequence', cut)
    const columns = { cut_sequence: to, starts_with: null, cut_at: now }
    if (Number(await found.update(columns)) !== 1) throw new CursorMovedError()
  }
}

export class CursorMovedError extends Error {
  name = 'CursorMovedError'
}

/**
 * Returns the position behind which retention keeps events; null if none waits. Uncut events are
 * kept, pending ones only for the time of their tries. A receiver that is slow or sometimes fails
 * would otherwise hold the log for ever. While sending is paused no try is made, so all are kept.
 */
export async function findLastRemovable(trx: Transaction, before: number): Promise<number | null> {
  const oldest = (await isPausedWithin(trx)) ? 0 : before - LONGEST_FAILURE_MS
  const needed = [await firstPending(oldest, trx)]
  const uncut = await readUncut(trx)
  for (const cursor of uncut) needed.push(await keptFor(cursor, oldest, trx))
  const known = needed.filter((position) => position !== null)
  if (known.length === 0) return null
  const first = Math.min(...known)
  for (const cursor of uncut) await warnOfLoss(cursor, first, trx)
  return first
}

async function firstPending(oldest: number, trx: Transaction) {
  const [{ pending }] = await selectRows<{ pending: number | string | null }>(
    trx,
    `SELECT MIN(d.sequence) - 1 AS pending FROM webhook_deliveries d
     JOIN audit_events p ON p.id = d.event_id AND p.occurred_at >= ?
     WHERE d.next_attempt_at IS NOT NULL AND d.webhook_id IN (SELECT id FROM webhooks)`,
    [oldest]
  )
  return numberOrNull(pending)
}

interface Uncut {
  id: string
  filters: string[]
  cut: number
}

async function readUncut(trx: Transaction): Promise<Uncut[]> {
  const rows = await selectRows<Pick<Row, 'id' | 'events'> & { cut: number | string | null }>(
    trx,
    `SELECT w.id, w.events, COALESCE(w.cut_sequence, e.sequence - 1) AS cut FROM webhooks w
     LEFT JOIN audit_events e ON e.id = w.starts_with WHERE w.disabled_at IS NULL`,
    []
  )
  return rows.flatMap(({ id, events, cut }) =>
    cut === null ? [] : [{ id, filters: JSON.parse(events), cut: Number(cut) }]
  )
}

/** Events for which an endpoint has no room are kept no longer than its pending deliveries. */
async function keptFor({ id, cut }: Uncut, oldest: number, trx: Transaction) {
  if (await hasCapacity(id, trx)) return cut
  const behind = await readEvents(cut, BATCH_SIZE, trx)
  const young = behind.findIndex(({ occurredAt }) => occurredAt >= oldest)
  const last = behind.slice(0, young === -1 ? undefined : young).at(-1)
  return last?.sequence ?? cut
}

const WARNING_PAUSE_MS = 3_600_000

const warnedAt = new Map<string, number>()

/** Warns rarely, as a pruning calls it for each batch. An event that no filter names is no loss. */
async function warnOfLoss({ id, filters, cut }: Uncut, first: number, trx: Transaction) {
  const now = performance.now()
  if (cut >= first || now - (warnedAt.get(id) ?? -Infinity) < WARNING_PAUSE_MS) return
  const behind = await readEvents(cut, BATCH_SIZE, trx)
  const removed = behind.filter(({ sequence }) => sequence <= first)
  if (!removed.some((event) => isWanted(event, filters))) return
  warnedAt.set(id, now)
  logger.warn(
    { webhookId: id },
    'a webhook is too slow: events that it has no room for are removed'
  )
}
