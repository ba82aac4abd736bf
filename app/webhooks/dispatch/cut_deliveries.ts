import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import { BATCH_SIZE, yieldToEventLoop } from '#database/batches'
import { withoutSync } from '#database/postgres_durability'
import { selectRows } from '#database/select_rows'
import { insertDeliveries } from '#webhooks/deliveries/delivery_rows'
import { CursorMovedError, moveCursors, readCursors, type Cursor } from './cursors.ts'
import { isWanted, readEvents, type TypedEvent } from './matching_events.ts'
import { hasCapacity } from './capacity.ts'
import type { Transaction } from '#database/transaction'

/*
 | Cuts deliveries from sealed events, in the order of the trail. Each transaction inserts deliveries
 | and moves the cursors behind their events: no event is skipped or cut twice.
 */

const ADVISORY_LOCK = 7_014_384

/** @returns whether deliveries were cut */
export async function cutDeliveries() {
  let hasCut = false
  for (;;) {
    const { head, cursors } = await readCursors(db.connection())
    if (cursors.every(({ cut }) => cut === head)) return hasCut
    const batch = await cutBatch().catch(ignoreMoved)
    hasCut ||= batch.deliveries > 0
    if (!batch.hasMore) return hasCut
    await yieldToEventLoop()
  }
}

interface CutBatch {
  deliveries: number
  hasMore: boolean
}

const NONE: CutBatch = { deliveries: 0, hasMore: false }

function ignoreMoved(error: unknown) {
  if (!(error instanceof CursorMovedError)) throw error
  return { ...NONE, hasMore: true }
}

/** Cuts a batch for each position of a cursor, so that a replay delays no other webhook. */
export function cutBatch(): Promise<CutBatch> {
  return db.transaction(async (trx) => {
    if (!(await lockCutting(trx))) return NONE
    const { head, cursors } = await readCursors(trx)
    await startCursors(cursors, head, trx)
    const open = cursors.filter(({ cut }) => cut !== null && cut < head)
    const roomy = await withCapacity(open, trx)
    /** Each event may become a delivery to each webhook. */
    const size = Math.ceil(BATCH_SIZE / Math.max(1, roomy.length))
    const result = { ...NONE }
    for (const [cut, group] of Map.groupBy(roomy, (cursor) => cursor.cut!)) {
      const events = await readEvents(cut, size, trx)
      result.deliveries += await cutFor(group, events, trx)
      result.hasMore ||= events.length === size
    }
    return result
  })
}

/**
 * Returns false while another process cuts. Timeouts release the lock of a frozen process. The
 * commit needs no sync: deliveries are lost together with the cursors, and cut again.
 */
async function lockCutting(trx: Transaction) {
  if (trx.dialect.name !== 'postgres') return true
  const [{ taken }] = await selectRows<{ taken: boolean }>(
    trx,
    `SELECT set_config('statement_timeout', '2000', true),
       set_config('idle_in_transaction_session_timeout', '2000', true),
       pg_try_advisory_xact_lock(?) AS taken${withoutSync(trx)}`,
    [ADVISORY_LOCK]
  )
  return taken
}

/**
 * A webhook begins behind the event that enabled it. A restored webhook, whose event is gone,
 * begins at the head. A cursor beyond the head comes from commits that a promoted standby lacks.
 */
async function startCursors(cursors: Cursor[], head: number, trx: Transaction) {
  for (const cursor of cursors) {
    const to = cursor.cut === null ? await startOf(cursor, head, trx) : Math.min(cursor.cut, head)
    if (to === null || to === cursor.cut) continue
    if (cursor.cut !== null)
      logger.warn(
        { webhookId: cursor.id, head },
        'the database lacks events: a webhook goes on at its head'
      )
    await moveCursors([cursor], { to, now: Date.now() }, trx)
    cursor.cut = to
  }
}

async function startOf({ startsWith }: Cursor, head: number, trx: Transaction) {
  const event = startsWith
    ? await trx.from('audit_events').where('id', startsWith).select('sequence').first()
    : null
  if (!event) return head
  return event.sequence === null ? null : Number(event.sequence)
}

async function withCapacity(cursors: Cursor[], trx: Transaction) {
  const roomy: Cursor[] = []
  for (const cursor of cursors) if (await hasCapacity(cursor.id, trx)) roomy.push(cursor)
  return roomy
}

async function cutFor(cursors: Cursor[], events: TypedEvent[], trx: Transaction) {
  const last = events.at(-1)
  if (!last) return 0
  const now = Date.now()
  let deliveries = 0
  for (const { id, events: filters } of cursors) {
    const wanted = events.filter((event) => isWanted(event, filters))
    const rows = wanted.map(({ id: eventId, sequence, type }) => {
      return { webhook_id: id, event_id: eventId, sequence, type: type! }
    })
    await insertDeliveries(rows, now, trx)
    deliveries += rows.length
  }
  await moveCursors(cursors, { to: last.sequence, now }, trx)
  return deliveries
}
