import type { Redis } from 'ioredis'
import type { ScanRequest, SessionPage, SessionRecord } from '#auth/store/contract'
import type { RedisConnection } from './connection.ts'
import {
  EVERY_HASH,
  EVERY_INDEX,
  hashKey,
  hashPrefix,
  indexKey,
  ownerOf,
  sessionOf,
} from './keys.ts'
import { fromFields } from './session_hash.ts'

/** Keys looked at before a count becomes an estimate from them. */
const SAMPLE = 20_000

/** Keys asked for at once: each answer is a fraction of a millisecond of the server's time. */
const STEP = 1_000

/** Answers without a session after which a part is given back as it is. */
const MAX_STEPS = 50

/** The server of a part and the place in its keys. */
const CURSOR = /^(\d{1,3})-(\d{1,20})$/

/** Walks over everybody's keys, in parts, so that Redis never stops for it. */
export class SessionScan {
  #redis: RedisConnection

  constructor(redis: RedisConnection) {
    this.#redis = redis
  }

  async page({ cursor, limit, now }: ScanRequest): Promise<SessionPage> {
    const masters = this.#redis.masters()
    let [, server, position] = CURSOR.exec(cursor ?? '') ?? ['', '0', '0']
    for (let step = 0; step < MAX_STEPS && Number(server) < masters.length; step++) {
      const [next, keys] = await scan(masters[Number(server)], EVERY_HASH, position, limit)
      ;[server, position] = next === '0' ? [String(Number(server) + 1), '0'] : [server, next]
      if (keys.length === 0) continue
      const isLast = Number(server) === masters.length
      return {
        sessions: await this.#read(keys, now),
        nextCursor: isLast ? null : `${server}-${position}`,
      }
    }
    const isLast = Number(server) >= masters.length
    return { sessions: [], nextCursor: isLast ? null : `${server}-${position}` }
  }

  async #read(keys: string[], now: number) {
    const found = await Promise.all(
      keys.map(async (key) => {
        const [userId, sessionId] = [ownerOf(key), sessionOf(key)]
        const position = [indexKey(userId), hashKey(userId, sessionId)]
        return fromFields(await this.#redis.run<string[]>('gatehouseFind', position, [sessionId]))
      })
    )
    const sessions = found.filter((each): each is SessionRecord => each !== null)
    return sessions
      .filter(({ expiresAt }) => expiresAt > now)
      .sort((one, other) => other.lastActivityAt - one.lastActivityAt)
  }

  async count() {
    const counts = await Promise.all(this.#redis.masters().map(countSessions))
    return counts.reduce((sum, count) => sum + count, 0)
  }

  /** Removes expired sessions, and places in an index whose session is gone. */
  async tidy(now: number) {
    let removed = 0
    for (const master of this.#redis.masters()) {
      let cursor = '0'
      do {
        const [next, keys] = await scan(master, EVERY_INDEX, cursor, STEP)
        const tidied = keys.map((key) =>
          this.#redis.run<number>('gatehouseTidy', [key], [hashPrefix(ownerOf(key)), now])
        )
        for (const count of await Promise.all(tidied)) removed += count
        cursor = next
      } while (cursor !== '0')
    }
    return removed
  }
}

/** `SCAN` needs no script: it only ever reads, and from the server that it is sent to. */
function scan(server: Redis, pattern: string, cursor: string, count: number) {
  return server.scan(cursor, 'MATCH', pattern, 'COUNT', count)
}

/** Exact while all keys fit the sample; then as many of all keys as of the sample are sessions. */
async function countSessions(server: Redis) {
  const total = await server.dbsize()
  let cursor = '0'
  let found = 0
  let looked = 0
  do {
    const [next, keys] = await scan(server, EVERY_HASH, cursor, STEP)
    cursor = next
    found += keys.length
    looked += STEP
  } while (cursor !== '0' && looked < SAMPLE)
  return cursor === '0' ? found : Math.round((found / looked) * total)
}
