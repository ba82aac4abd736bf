import { LRUCache } from 'lru-cache'
import db from '@adonisjs/lucid/services/db'
import { selectRows } from '#database/select_rows'
import { matching, toRecord, type AuditFilter } from './query.ts'

/*
 | Reading the trail. Ids are UUID v7 and grow with time, so a page is named by the event
 | it comes after, and costs the same at any depth.
 */

export interface AuditCursorFilter extends AuditFilter {
  /** The id of the last event of the page before. */
  after?: string
  limit?: number
}

/** Events of the trail, the newest first, and whether there are more. */
export async function listAuditEventsAfter({
  after,
  limit = 50,
  ...filter
}: AuditCursorFilter = {}) {
  const query = matching(filter, db.connection())
  if (after) query.where('id', '<', after)
  const rows = await query.orderBy('id', 'desc').limit(limit + 1)
  return { events: rows.slice(0, limit).map(toRecord), hasMore: rows.length > limit }
}

/**
 * The kinds of events that the trail holds, for a list to choose from. Each is found from
 * the one before it through the index, so that a long trail is not read for a short list.
 */
export async function listAuditActions(): Promise<string[]> {
  const rows = await selectRows<{ action: string }>(
    db.connection(),
    `WITH RECURSIVE kinds(action) AS (
       SELECT min(action) FROM audit_events
       UNION ALL
       SELECT (SELECT min(action) FROM audit_events WHERE action > kinds.action)
       FROM kinds WHERE kinds.action IS NOT NULL)
     SELECT action FROM kinds WHERE action IS NOT NULL`,
    []
  )
  return rows.map((row) => row.action)
}

const DAY_MS = 86_400_000
const COUNTED = ['login.succeeded', 'login.failed', 'login.refused', 'account.locked'] as const

export interface DayOfActivity {
  /** Midnight, UTC. */
  day: number
  signIns: number
  failures: number
  locks: number
}

/** One look at the trail serves every page and plot of the next half minute. */
const recent = new LRUCache<number, DayOfActivity[]>({ max: 4, ttl: 30_000 })

/** Sign-ins, failures and locks of each of the last days, today included, the oldest first. */
export async function activityByDay(days: number, now = Date.now()): Promise<DayOfActivity[]> {
  const known = recent.get(days)
  if (known) return known
  const today = Math.floor(now / DAY_MS)
  const first = today - days + 1
  const counts = await countByDay(first * DAY_MS)
  const activity = Array.from({ length: days }, (_, index) => {
    const count = (action: string) => counts.get(`${first + index} ${action}`) ?? 0
    return {
      day: (first + index) * DAY_MS,
      signIns: count('login.succeeded'),
      failures: count('login.failed') + count('login.refused') + count('account.locked'),
      locks: count('account.locked'),
    }
  })
  recent.set(days, activity)
  return activity
}

/** Division of integers by integers gives the day, on both databases. */
async function countByDay(from: number) {
  const rows = await db
    .from('audit_events')
    .where('occurred_at', '>=', from)
    .whereIn('action', [...COUNTED])
    .groupByRaw(`occurred_at / ${DAY_MS}, action`)
    .select('action', db.raw(`occurred_at / ${DAY_MS} AS day`), db.raw('count(*) AS total'))
  return new Map(rows.map((row) => [`${row.day} ${row.action}`, Number(row.total)]))
}
