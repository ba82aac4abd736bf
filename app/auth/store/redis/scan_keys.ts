import type { Redis } from 'ioredis'

interface Scan {
  /** Returned by the previous command; `0` begins and ends a scan. */
  cursor: string
  /** Keys that the server looks at; it may return fewer, and a few more. */
  count: number
}

export function scanKeys(server: Redis, pattern: string, { cursor, count }: Scan) {
  return server.scan(cursor, 'MATCH', pattern, 'COUNT', count)
}
