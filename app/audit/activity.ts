import { LRUCache } from 'lru-cache'
import { replicaOrPrimary } from '#database/replica'

/*
 | Sign-ins, failures and locks by day, for the plots of the dashboard.
 */

const DAY_MS = 86_400_000
const COUNTED = ['login.succeeded', 'login.failed', 'login.refused', 'account.locked'] as const

export interface DayOfActivity {
  /** Midnight, UTC. */
  day: number
  signIns: number
  failures: number
  locks: number
}

/** The dashboard and each of its plots ask for the same days at once. */
const cachedActivity = new LRUCache<number, DayOfActivity[]>({ max: 4, ttl: 30_000 })

/** The last days, today included, the oldest first; at most half a minute old. */
export async function activityByDay(days: number, now = Date.now()): Promise<DayOfActivity[]> {
  const cached = cachedActivity.get(days)
  if (cached) return cached
  const first = Math.floor(now / DAY_MS) - days + 1
  const counts = await countByDay(first * DAY_MS)
  const activity = Array.from({ length: days }, (_, index) => dayOf(first + index, counts))
  cachedActivity.set(days, activity)
  return activity
}

function dayOf(day: number, counts: Map<string, number>): DayOfActivity {
  const count = (action: (typeof COUNTED)[number]) => counts.get(`${day} ${action}`) ?? 0
  return {
    day: day * DAY_MS,
    signIns: count('login.succeeded'),
    failures: count('login.failed') + count('login.refused') + count('account.locked'),
    locks: count('account.locked'),
  }
}

/** By number of the day and action; a division of integers has no fraction on both databases. */
async function countByDay(from: number) {
  const client = replicaOrPrimary()
  const rows = await client
    .from('audit_events')
    .where('occurred_at', '>=', from)
    .whereIn('action', [...COUNTED])
    .groupByRaw(`occurred_at / ${DAY_MS}, action`)
    .select('action', client.raw(`occurred_at / ${DAY_MS} AS day`), client.raw('count(*) AS total'))
  return new Map(rows.map((row) => [`${row.day} ${row.action}`, Number(row.total)]))
}
