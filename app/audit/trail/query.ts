import limits from '#config/limits'
import { assertEndsBefore, isDeep } from '#exceptions/page_depth'
import { yieldToEventLoop } from '#database/batches'
import { selectRows } from '#database/select_rows'
import { replicaOrPrimary } from '#database/replica'
import type { EventRange } from './events_about.ts'
import { toRecords } from './audit_record.ts'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { type AuditFilter, countAuditEvents, selectEvents } from './select_events.ts'

/* Ids are UUID v7 and grow with time: they order the events and serve as cursors. */

interface NumberedPage {
  page: number
  limit: number
  cursor?: string
}

/** With a filter, `total` counts to 1,001. @throws a validation error for a deep page of a long list */
export async function listAuditEvents(filter: AuditFilter, { page, limit, cursor }: NumberedPage) {
  const offset = cursor ? 0 : (page - 1) * limit
  if (isDeep(offset)) return pageAfterEnd(filter)
  const [rows, total] = await Promise.all([
    selectEvents(filter, { order: 'desc', beside: cursor, offset, limit }),
    countAuditEvents(filter),
  ])
  const events = await toRecords(rows)
  return { events, total, nextCursor: events.length === limit ? events.at(-1)!.id : null }
}

async function pageAfterEnd(filter: AuditFilter) {
  assertEndsBefore(await countAuditEvents(filter, limits.pageDepth + 1), 'cursor')
  return { events: [], total: await countAuditEvents(filter), nextCursor: null }
}

interface CursorPage {
  /** The id of the last event on the previous page. */
  after?: string
  limit: number
}

export async function listAuditEventsAfter(filter: AuditFilter, { after, limit }: CursorPage) {
  const rows = await selectEvents(filter, { order: 'desc', beside: after, limit: limit + 1 })
  return { events: await toRecords(rows.slice(0, limit)), hasMore: rows.length > limit }
}

export async function findEvent(id: string, client: QueryClientContract) {
  const row = await client.from('audit_events').where('id', id).first()
  const [record] = row ? await toRecords([row], client) : [null]
  return record
}

/** Decrypting an event takes several times as long as reading it. */
const DECRYPTED = 50

export async function* walkEventsAbout(userId: string) {
  let beside: string | undefined
  for (;;) {
    const range: EventRange = { order: 'asc', beside, limit: DECRYPTED }
    const rows = await selectEvents({ about: userId }, range)
    if (rows.length > 0 || !beside) yield await toRecords(rows)
    if (rows.length < DECRYPTED) return
    beside = rows.at(-1).id
    await yieldToEventLoop()
  }
}

/** A loose index scan finds each action from the one before, without reading the whole trail. */
export async function listAuditActions(): Promise<string[]> {
  const rows = await selectRows<{ action: string }>(replicaOrPrimary(), ACTIONS, [])
  return rows.map((row) => row.action)
}

const ACTIONS = `
  WITH RECURSIVE found(action) AS (
    SELECT min(action) FROM audit_events
    UNION ALL
    SELECT (SELECT min(action) FROM audit_events WHERE action > found.action)
    FROM found WHERE found.action IS NOT NULL)
  SELECT action FROM found WHERE action IS NOT NULL`
