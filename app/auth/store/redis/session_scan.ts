import {
  ALL_SESSIONS,
  ALL_SESSION_INDEXES,
  sessionIdOf,
  sessionKeyPrefix,
  sessionKeys,
  userIdOf,
} from './keys.ts'
import { scanKeys, countSessionsOf } from './session_count.ts'
import { fromFields } from './session_hash.ts'
import type { Redis } from 'ioredis'
import type { ScanRequest, SessionPage, SessionRecord } from '#auth/store/contract'
import type { RedisConnection } from './connection.ts'

/** Limits the time of one command to a fraction of a millisecond. */
const STEP = 1_000

/** After so many commands without a session, an empty page with a cursor is returned. */
const MAX_STEPS = 50

/** The server's position among the masters, and the cursor of its `SCAN`, which has 64 bits. */
const CURSOR = /^(\d{1,3})-(\d{1,19})$/

export class SessionScan {
  #redis: RedisConnection

  constructor(redis: RedisConnection) {
    this.#redis = redis
  }

  async page({ cursor, limit, now }: ScanRequest): Promise<SessionPage> {
    const masters = this.#redis.masters()
    let [, server, position] = CURSOR.exec(cursor ?? '') ?? ['', '0', '0']
    let keys: string[] = []
    for (let step = 0; step < MAX_STEPS && Number(server) < masters.length; step++) {
      const scan = { cursor: position, count: limit }
      ;[position, keys] = await scanKeys(masters[Number(server)], ALL_SESSIONS, scan)
      if (position === '0') server = String(Number(server) + 1)
      if (keys.length > 0) break
    }
    const isLast = Number(server) >= masters.length
    return {
      sessions: await this.#read(keys, now),
      nextCursor: isLast ? null : `${server}-${position}`,
    }
  }

  async #read(keys: string[], now: number) {
    const found = await Promise.all(keys.map((key) => this.#find(key)))
    return found
      .filter((each): each is SessionRecord => each !== null)
      .filter(({ expiresAt }) => expiresAt > now)
      .sort((one, other) => other.lastActivityAt - one.lastActivityAt)
  }

  async #find(key: string) {
    const [userId, sessionId] = [userIdOf(key), sessionIdOf(key)]
    const keys = sessionKeys(userId, sessionId)
    return fromFields(await this.#redis.run<string[]>('gatehouseFindSession', keys, [sessionId]))
  }

  async count() {
    const counts = await Promise.all(this.#redis.masters().map(countSessionsOf))
    return sum(counts)
  }

  /** Removes expired sessions, and index entries without a session. @returns their number */
  async prune(now: number) {
    let removed = 0
    for (const master of this.#redis.masters()) removed += await this.#pruneServer(master, now)
    return removed
  }

  async #pruneServer(server: Redis, now: number) {
    let [removed, cursor] = [0, '0']
    do {
      const scan = { cursor, count: STEP }
      const [next, keys] = await scanKeys(server, ALL_SESSION_INDEXES, scan)
      removed += sum(await Promise.all(keys.map((key) => this.#pruneUser(key, now))))
      cursor = next
    } while (cursor !== '0')
    return removed
  }

  #pruneUser(indexKey: string, now: number) {
    const args = [sessionKeyPrefix(userIdOf(indexKey)), now]
    return this.#redis.run<number>('gatehousePruneSessions', [indexKey], args)
  }
}

function sum(counts: number[]) {
  return counts.reduce((total, count) => total + count, 0)
}
