import { LRUCache } from 'lru-cache'
import db from '@adonisjs/lucid/services/db'
import { selectRows } from '#auth/store/sql'

/*
 | Reading the trail. Ids are UUID v7 and grow with time, so a page is named by the event
 | it comes after, and costs the same at any depth.
 */

export interface JournalFilter {
  action?: string
  outcome?: 'success' | 'failure'
  actorId?: string
  targetId?: string
  /** Either side of the event: who acted or whom it concerned. */
  accountId?: string
  ip?: string
  /** Milliseconds; from is included, until is not. */
  from?: number
  until?: number
  /** The id of the last event of the page before. */
  after?: string
  limit?: number
}

export interface JournalEvent {
  id: string
  occurredAt: number
  action: string
  outcome: 'success' | 'failure'
  actor: string
  actorId: string | null
  targetId: string | null
  ip: string | null
  userAgent: string | null
  details: Record<string, unknown>
}

/** Events of the trail, the newest first, and whether there are more. */
export async function readJournal(filter: JournalFilter = {}) {
  const { limit = 50 } = filter
  const rows = await select(filter)
    .orderBy('id', 'desc')
    .limit(limit + 1)
  return { events: rows.slice(0, limit).map(toEvent), hasMore: rows.length > limit }
}

function select({ action, outcome, actorId, targetId, accountId, ...filter }: JournalFilter) {
  const query = db.from('audit_events')
  if (action) query.where('action', action)
  if (outcome) query.where('outcome', outcome)
  if (actorId) query.where('actor_id', actorId)
  if (targetId) query.where('target_id', targetId)
  if (accountId)
    query.where((own) => own.where('target_id', accountId).orWhere('actor_id', accountId))
  if (filter.ip) query.where('ip', filter.ip)
  if (filter.from !== undefined) query.where('occurred_at', '>=', filter.from)
  if (filter.until !== undefined) query.where('occurred_at', '<', filter.until)
  if (filter.after) query.where('id', '<', filter.after)
  return query
}

function toEvent(row: any): JournalEvent {
  return {
    id: row.id,
    occurredAt: Number(row.occurred_at),
    action: row.action,
    outcome: row.outcome,
    actor: row.actor,
    actorId: row.actor_id,
    targetId: row.target_id,
    ip: row.ip,
    userAgent: row.user_agent,
    details: JSON.parse(row.details),
  }
}

/**
 * The kinds of events that the trail holds, for a list to choose from. Each is found from
 * the one before it through the index, so that a long trail is not read for a short list.
 */
export async function journalActions(): Promise<string[]> {
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
const COUNTED = ['login.succeeded', 'login.failed', 'account.locked'] as const

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
      failures: count('login.failed') + count('account.locked'),
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
