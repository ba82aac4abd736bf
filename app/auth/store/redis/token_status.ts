import { endOfSessions, leaseKey, sessionKeys } from './keys.ts'
import { currentIncarnation, noteIncarnation } from '#database/incarnation'
import type { TokenReference, TokenStatus } from '#auth/store/contract'
import type { RedisConnection } from './connection.ts'
import type { ConfigurationLease, ConfigurationReply } from './configuration_lease.ts'
import type { Revocation, RevocationLog } from './revocation_log.ts'
import type { UserLease } from './user_lease.ts'

/** The reply is shorter if the token is refused. */
type Reply = [...ConfigurationReply, ...(Leased | NotLeased | [])]

type Leased = [lastActivityAt: string, version: string]

type NotLeased = [lastActivityAt: string, version: null, lease: string, sessionIds: string[]]

/** Sends one command to Redis, and asks the database only if there is no valid lease. */
export class TokenStatusLookup {
  #redis: RedisConnection
  #lease: UserLease
  #configuration: ConfigurationLease
  #revocationLog: RevocationLog

  constructor(
    redis: RedisConnection,
    { user, configuration }: { user: UserLease; configuration: ConfigurationLease },
    revocationLog: RevocationLog
  ) {
    this.#redis = redis
    this.#lease = user
    this.#configuration = configuration
    this.#revocationLog = revocationLog
  }

  async find(token: TokenReference, now: number): Promise<TokenStatus> {
    const { userId, sessionId, tokenId } = token
    const configurationKey = this.#configuration.keyFor(userId)
    const keys = [...sessionKeys(userId, sessionId), leaseKey(userId), configurationKey]
    const args = [sessionId, tokenId, now, currentIncarnation()]
    const reply = await this.#redis.run<Reply>('gatehouseTokenStatus', keys, args)
    const [version, lease, incarnation, ...status] = reply
    await this.#configuration.note(configurationKey, [version, lease, incarnation])
    if (status.length === 0) return { isActive: false }
    const userVersion = isLeased(status)
      ? status[1]
      : await this.#compare(token, { status, incarnation })
    if (userVersion === null) return { isActive: false }
    return { isActive: true, userVersion, lastActivityAt: Number(status[0]) }
  }

  // Returns the version of the user, or null when the token is refused.
  async #compare(
    token: TokenReference,
    { status: [, , value, sessionIds], incarnation }: { status: NotLeased; incarnation: string }
  ) {
    const user = await this.#revocationLog.find(token.userId, sessionIds)
    if (!user) return null
    noteIncarnation(user.incarnation)
    await this.#revokeAgain(token.userId, user.revocations)
    await this.#lease.renew(token.userId, { value, incarnation }, user)
    return user.revocations.some((each) => refuses(each, token)) ? null : user.version
  }

  /** Repeats these revocations, because a Redis with older data has lost them. */
  async #revokeAgain(userId: string, revocations: Revocation[]) {
    const repeats = revocations.map(({ sessionId, tokenId, expiresAt }) => {
      const { keys, args } = endOfSessions(userId, [sessionId])
      if (!tokenId) return this.#redis.run('gatehouseEndSessions', keys, args)
      const token = [sessionId, tokenId, expiresAt, 0]
      return this.#redis.run('gatehouseRevokeToken', sessionKeys(userId, sessionId), token)
    })
    await Promise.all(repeats)
  }
}

function isLeased(status: Leased | NotLeased): status is Leased {
  return status[1] !== null
}

function refuses(revocation: Revocation, { sessionId, tokenId }: TokenReference) {
  if (revocation.sessionId !== sessionId) return false
  return revocation.tokenId === null || revocation.tokenId === tokenId
}
