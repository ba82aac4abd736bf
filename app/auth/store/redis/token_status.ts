import type { TokenStatus, TokenReference } from '#auth/store/contract'
import type { RedisConnection } from './connection.ts'
import type { Revocation, RevocationLog } from './revocation_log.ts'
import { hashKey, indexKey, leaseKey } from './keys.ts'

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
const LEASE_MS = 600_000

/** How long an announcement holds whose writer died; longer than any commit or look-up takes. */
const CHANGE_MS = 30_000

type Reply = [lastActivityAt: string, version: string] | WithoutLease | null

type WithoutLease = [
  lastActivityAt: string,
  version: null,
  lease: string,
  incarnation: string,
  sessionIds: string[],
]

export class LeasedTokenStatus {
  #redis: RedisConnection
  #revocationLog: RevocationLog

  constructor(redis: RedisConnection, revocationLog: RevocationLog) {
    this.#redis = redis
    this.#revocationLog = revocationLog
  }

  async find(token: TokenReference, now: number): Promise<TokenStatus> {
    const { userId, sessionId, tokenId } = token
    const keys = [hashKey(userId, sessionId), indexKey(userId), leaseKey(userId)]
    const reply = await this.#redis.run<Reply>('gatehouseStanding', keys, [sessionId, tokenId, now])
    if (!reply) return { isActive: false }
    const userVersion = reply[1]
      ? Number(reply[1])
      : await this.#compare(token, reply as WithoutLease)
    if (userVersion === null) return { isActive: false }
    return { isActive: true, userVersion, lastActivityAt: Number(reply[0]) }
  }

  /** The version of the user in the database; null when the token is refused. */
  async #compare(token: TokenReference, [, , lease, incarnation, sessionIds]: WithoutLease) {
    const known = await this.#revocationLog.find(token.userId, sessionIds)
    if (!known) return null
    await this.#repeat(token.userId, known.revocations)
    const renewal = [lease, incarnation, known.version, LEASE_MS]
    await this.#redis.run('gatehouseVouch', [leaseKey(token.userId)], renewal)
    return known.revocations.some((revocation) => concerns(revocation, token))
      ? null
      : known.version
  }

  /** Ends once more what Redis has forgotten that it had ended. */
  async #repeat(userId: string, revocations: Revocation[]) {
    const repeats = revocations.map(({ sessionId, tokenId, expiresAt }) => {
      const keys = [indexKey(userId), hashKey(userId, sessionId)]
      return tokenId
        ? this.#redis.run('gatehouseDeny', keys, [sessionId, tokenId, expiresAt, 0])
        : this.#redis.run('gatehouseEnd', keys, [sessionId])
    })
    await Promise.all(repeats)
  }

  /** Before the commit of a change to these users: nobody vouches for them from now on. */
  async beginChange(userIds: string[], writer: string) {
    await this.#mark(userIds, (key) =>
      this.#redis.run('gatehouseAnnounce', [key], [writer, CHANGE_MS])
    )
  }

  /** After the commit: whoever asks the database from now on may vouch again. */
  async endChange(userIds: string[], writer: string) {
    await this.#mark(userIds, (key) =>
      this.#redis.run('gatehouseSettle', [key], [writer, CHANGE_MS])
    )
  }

  async #mark(userIds: string[], mark: (key: string) => Promise<unknown>) {
    for (let at = 0; at < userIds.length; at += 1_000) {
      const part = userIds.slice(at, at + 1_000)
      await Promise.all(part.map((userId) => mark(leaseKey(userId))))
    }
  }
}

function concerns(revocation: Revocation, { sessionId, tokenId }: TokenReference) {
  if (revocation.sessionId !== sessionId) return false
  return revocation.tokenId === null || revocation.tokenId === tokenId
}
