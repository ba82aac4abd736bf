import type { Standing, TokenReference } from '#auth/store/contract'
import type { RedisConnection } from './connection.ts'
import type { Ending, Ledger } from './revocation_log.ts'
import { hashKey, indexKey, markerKey } from './keys.ts'

/*
 | One round trip answers, as long as the marker of the user vouches for it: “under this
 | incarnation of Redis, this user was compared with the database, at this version”. The
 | marker stops vouching when a writer announces a change (before the commit), when the
 | change is settled (after it), when Redis restarts or another server takes over, and
 | when it is evicted. Then the database is asked, once, and its answer is noted only if
 | the marker is what it was before the question: an answer that crossed a change is
 | used for its own request and not kept.
 */

/** How long a marker vouches without being renewed. */
const VOUCHED_MS = 600_000

/** How long an announcement holds whose writer died; longer than any commit or look-up takes. */
const ANNOUNCED_MS = 30_000

type Reply = [lastActivityAt: string, version: string] | Unvouched | null

type Unvouched = [
  lastActivityAt: string,
  version: null,
  marker: string,
  incarnation: string,
  sessionIds: string[],
]

export class Standings {
  #redis: RedisConnection
  #ledger: Ledger

  constructor(redis: RedisConnection, ledger: Ledger) {
    this.#redis = redis
    this.#ledger = ledger
  }

  async find(token: TokenReference, now: number): Promise<Standing> {
    const { userId, sessionId, tokenId } = token
    const keys = [hashKey(userId, sessionId), indexKey(userId), markerKey(userId)]
    const reply = await this.#redis.run<Reply>('gatehouseStanding', keys, [sessionId, tokenId, now])
    if (!reply) return { isActive: false }
    const userVersion = reply[1] ? Number(reply[1]) : await this.#compare(token, reply as Unvouched)
    if (userVersion === null) return { isActive: false }
    return { isActive: true, userVersion, lastActivityAt: Number(reply[0]) }
  }

  /** The version of the user in the database; null when the token is refused. */
  async #compare(token: TokenReference, [, , marker, incarnation, sessionIds]: Unvouched) {
    const account = await this.#ledger.find(token.userId, sessionIds)
    if (!account) return null
    await this.#repeat(token.userId, account.endings)
    const vouch = [marker, incarnation, account.version, VOUCHED_MS]
    await this.#redis.run('gatehouseVouch', [markerKey(token.userId)], vouch)
    return account.endings.some((ending) => concerns(ending, token)) ? null : account.version
  }

  /** Ends once more what Redis has forgotten that it had ended. */
  async #repeat(userId: string, endings: Ending[]) {
    const repeats = endings.map(({ sessionId, tokenId, expiresAt }) => {
      const keys = [indexKey(userId), hashKey(userId, sessionId)]
      return tokenId
        ? this.#redis.run('gatehouseDeny', keys, [sessionId, tokenId, expiresAt, 0])
        : this.#redis.run('gatehouseEnd', keys, [sessionId])
    })
    await Promise.all(repeats)
  }

  /** Before the commit of a change to these users: nobody vouches for them from now on. */
  async announceChange(userIds: string[], writer: string) {
    await this.#mark(userIds, (key) =>
      this.#redis.run('gatehouseAnnounce', [key], [writer, ANNOUNCED_MS])
    )
  }

  /** After the commit: whoever asks the database from now on may vouch again. */
  async settleChange(userIds: string[], writer: string) {
    await this.#mark(userIds, (key) =>
      this.#redis.run('gatehouseSettle', [key], [writer, ANNOUNCED_MS])
    )
  }

  async #mark(userIds: string[], mark: (key: string) => Promise<unknown>) {
    for (let at = 0; at < userIds.length; at += 1_000) {
      const part = userIds.slice(at, at + 1_000)
      await Promise.all(part.map((userId) => mark(markerKey(userId))))
    }
  }
}

function concerns(ending: Ending, { sessionId, tokenId }: TokenReference) {
  if (ending.sessionId !== sessionId) return false
  return ending.tokenId === null || ending.tokenId === tokenId
}
