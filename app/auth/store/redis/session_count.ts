import { ALL_SESSIONS } from './keys.ts'
import type { Redis } from 'ioredis'

/** The number of keys that are examined before the count becomes an estimate. */
export const sample = { keys: 20_000 }

/** Limits the time of one command to a fraction of a millisecond. */
const STEP = 1_000

/** Exact if all keys fit in the sample; else the sample's share of sessions, times all keys. */
export async function countSessionsOf(server: Redis) {
  const total = await server.dbsize()
  let cursor = '0'
  let found = 0
  let looked = 0
  do {
    const [next, keys] = await scanKeys(server, ALL_SESSIONS, { cursor, count: STEP })
    cursor = next
    found += keys.length
    looked += STEP
  } while (cursor !== '0' && looked < sample.keys)
  return cursor === '0' ? found : Math.round((found / looked) * total)
}

interface Scan {
  /** Returned by the previous command; `0` begins and ends a scan. */
  cursor: string
  /** The number of keys that the server examines; it may return fewer, or a few more. */
  count: number
}

export function scanKeys(server: Redis, pattern: string, { cursor, count }: Scan) {
  return server.scan(cursor, 'MATCH', pattern, 'COUNT', count)
}
