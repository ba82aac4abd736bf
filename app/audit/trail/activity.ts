import { LRUCache } from 'lru-cache'
import { replicaOrPrimary } from '#database/replica'

/* One query for three months would block SQLite. A period that is over is counted once an hour. */

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

export const RANGES = {
  '24h': { periods: 24, periodMs: HOUR_MS },
  '7d': { periods: 7, periodMs: DAY_MS },
  '30d': { periods: 30, periodMs: DAY_MS },
  '90d': { periods: 90, periodMs: DAY_MS },
} as const

export type Range = keyof typeof RANGES

export const FAILED_SIGN_INS = ['login.failed', 'login.refused', 'account.locked']

export interface Activity {
  at: number
  signIns: number
  failures: number
  locks: number
}

export function startOf(range: Range, now = Date.now()) {
  const { periods, periodMs } = RANGES[range]
  return (Math.floor(now / periodMs) - periods + 1) * periodMs
}

/** Returns the oldest period first; the count of the present one is at most five seconds old. */
export async function activityIn(range: Range, now = Date.now()): Promise<Activity[]> {
  const { periods, periodMs } = RANGES[range]
  const first = startOf(range, now)
  const activity: Activity[] = []
  for (let index = 0; index < periods; index++) {
    activity.push(await countOnce(first + index * periodMs, periodMs, now))
  }
  return activity
}

const PRESENT_MS = 5_000
const PAST_MS = HOUR_MS

/** An event may be committed a while after its own time. */
const SETTLED_MS = 120_000

const cachedPeriods = new LRUCache<string, Promise<Activity>>({ max: 500 })

function countOnce(at: number, length: number, now: number) {
  const key = `${at} ${length}`
  const cached = cachedPeriods.get(key)
  if (cached) return cached
  const isOver = at + length + SETTLED_MS < now
  const counted = countPeriod(at, at + length)
  cachedPeriods.set(key, counted, { ttl: isOver ? PAST_MS : PRESENT_MS })
  counted.catch(() => cachedPeriods.delete(key))
  return counted
}

/** Does not filter by action: a planner could then choose another index than that on the time. */
export async function countPeriod(from: number, to: number): Promise<Activity> {
  const rows = await replicaOrPrimary()
    .from('audit_events')
    .where('occurred_at', '>=', from)
    .where('occurred_at', '<', to)
    .groupBy('action', 'outcome')
    .select('action', 'outcome')
    .count('* as total')
  const count = (actions: string[], outcome?: string) =>
    rows
      .filter((row) => actions.includes(row.action) && row.outcome === (outcome ?? row.outcome))
      .reduce((sum, row) => sum + Number(row.total), 0)
  return {
    at: from,
    signIns: count(['login.succeeded']),
    failures: count(FAILED_SIGN_INS, 'failure'),
    locks: count(['account.locked']),
  }
}
