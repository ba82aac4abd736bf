import type { Redis } from 'ioredis'

interface Scan {
  /** As the command before returned it; `0` begins, and ends. */
  cursor: string
  /** Keys that the server looks at; it may return fewer, and a few more. */
  count: number
}

/** One `SCAN`: a read that is sent to a named server, and so neither a script nor routed. */
export function scanKeys(server: Redis, pattern: string, { cursor, count }: Scan) {
  return server.scan(cursor, 'MATCH', pattern, 'COUNT', count)
}
