import { leaseKey, sessionKeys } from './keys.ts'
import { currentIncarnation, noteIncarnation } from '#database/incarnation'
import type { TokenReference, TokenStatus } from '#auth/store/contract'
import type { RedisConnection } from './connection.ts'
import type { Revocation, RevocationLog } from './revocation_log.ts'
import type { UserLease } from './user_lease.ts'

type Reply = Leased | NotLeased | null

type Leased = [lastActivityAt: string, version: string]

type NotLeased = [
  lastActivityAt: string,
  version: null,
  lease: string,
  incarnation: string,
  sessionIds: string[],
]

/** Asks Redis once, and the database only without a valid lease. */
export class TokenStatusLookup {
  #redis: RedisConnection
  #lease: UserLease
  #revocationLog: RevocationLog

  constructor(redis: RedisConnection, lease: UserLease, revocationLog: RevocationLog) {
    this.#redis = redis
    this.#lease = lease
    this.#revocationLog = revocationLog
  }

  async find(token: TokenReference, now: number): Promise<TokenStatus> {
    const { userId, sessionId, tokenId } = token
    const keys = [...sessionKeys(userId, sessionId), leaseKey(userId)]
    const args = [sessionId, tokenId, now, currentIncarnation()]
    const reply = await this.#redis.run<Reply>('gatehouseTokenStatus', keys, args)
    if (!reply) return { isActive: false }
    const userVersion = isLeased(reply) ? reply[1] : await this.#compare(token, reply)
    if (userVersion === null) return { isActive: false }
    return { isActive: true, userVersion, lastActivityAt: Number(reply[0]) }
  }

  // Returns the version of the user, or null when the token is refused.
  async #compare(token: TokenReference, [, , value, incarnation, sessionIds]: NotLeased) {
    const user = await this.#revocationLog.find(token.userId, sessionIds)
    if (!user) return null
    noteIncarnation(user.incarnation)
    await this.#revokeAgain(token.userId, user.revocations)
    await this.#lease.renew(token.userId, { value, incarnation }, user)
    return user.revocations.some((each) => refuses(each, token)) ? null : user.version
  }

  /** A Redis with older data has forgotten these revocations. */
  async #revokeAgain(userId: string, revocations: Revocation[]) {
    const repeats = revocations.map(({ sessionId, tokenId, expiresAt }) => {
      const keys = sessionKeys(userId, sessionId)
      return tokenId
        ? this.#redis.run('gatehouseRevokeToken', keys, [sessionId, tokenId, expiresAt, 0])
        : this.#redis.run('gatehouseEndSession', keys, [sessionId])
    })
    await Promise.all(repeats)
  }
}

function isLeased(reply: Leased | NotLeased): reply is Leased {
  return reply[1] !== null
}

function refuses(revocation: Revocation, { sessionId, tokenId }: TokenReference) {
  if (revocation.sessionId !== sessionId) return false
  return revocation.tokenId === null || revocation.tokenId === tokenId
}
