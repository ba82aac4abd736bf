import { PostgresLookup } from '#auth/store/database/postgres_lookup'
import { sentence } from '#i18n/sentences'
import { afterLoading, configurationLoading } from '#database/configuration_version'
import { deleteExpired } from '#database/delete_expired'
import { LoginAttempts } from './attempts.ts'
import { comparisonRefusal } from './comparison.ts'
import { ConfigurationLease } from './configuration_lease.ts'
import { RevocationLog } from './revocation_log.ts'
import { SessionScan } from './session_scan.ts'
import { Sessions } from './sessions.ts'
import { TokenStatusLookup } from './token_status.ts'
import { UnsentChanges, type Unsent } from './unsent_changes.ts'
import { UserLease } from './user_lease.ts'
import type { Database } from '@adonisjs/lucid/database'
import type { RedisConnection } from './connection.ts'
import type { ClientAddressKeys } from '#auth/store/database/client_address_row'
import type {
  AttemptLimits,
  AttemptsLock,
  ScanRequest,
  SessionRecord,
  SessionSelection,
  SharedStart,
  TokenReference,
  TokenStore,
} from '#auth/store/contract'
import type { Transaction } from '#database/transaction'
import type { Changed } from '#database/watched_connection'

/**
 * Accepts a token only while its session is found: data that Redis loses cannot let a token in.
 * @throws the error of ioredis when Redis is late (`config/redis.ts`); the transaction rolls back
 */
export class RedisStore implements TokenStore {
  readonly driver = 'redis'
  #redis: RedisConnection
  #db: Database
  #database: PostgresLookup
  #revocationLog: RevocationLog
  #unsent: UnsentChanges
  #attempts: LoginAttempts
  #lease: UserLease
  #configuration: ConfigurationLease
  #scan: SessionScan
  #sessions: Sessions
  #tokenStatus: TokenStatusLookup

  constructor(redis: RedisConnection, db: Database) {
    this.#redis = redis
    this.#db = db
    this.#database = new PostgresLookup(() => db.connection())
    this.#revocationLog = new RevocationLog(db)
    this.#unsent = new UnsentChanges(redis)
    this.#attempts = new LoginAttempts(redis, this.#unsent)
    this.#lease = new UserLease(redis)
    this.#scan = new SessionScan(redis)
    this.#sessions = new Sessions(redis, this.#unsent, this.#revocationLog)
    this.#configuration = new ConfigurationLease(redis, db)
    const leases = { user: this.#lease, configuration: this.#configuration }
    this.#tokenStatus = new TokenStatusLookup(redis, leases, this.#revocationLog)
  }

  async ping() {
    await this.#redis.ping()
    const refusal = comparisonRefusal()
    if (refusal) throw refusal
  }

  async warnings() {
    const memories = await Promise.all(this.#redis.masters().map((each) => each.info('memory')))
    if (!memories.some(evicts)) return []
    return [sentence('store.evicts')]
  }

  async tokenStatus(token: TokenReference, now: number) {
    return afterLoading(await this.#tokenStatus.find(token, now))
  }

  /** Reads session and status in parallel. The session counts only if the status is active. */
  async findActiveSession(token: TokenReference, now: number) {
    const { userId, sessionId } = token
    const [status, session] = await Promise.all([
      this.tokenStatus(token, now),
      this.#sessions.find(userId, sessionId, now),
    ])
    return status.isActive && session ? { session, userVersion: status.userVersion } : null
  }

  async readConfiguration() {
    await this.#configuration.read()
    await configurationLoading()
  }

  findApiKey(id: string) {
    return this.#database.findApiKey(id)
  }

  findClientAddress(keys: ClientAddressKeys) {
    return this.#database.findClientAddress(keys)
  }

  /** `writer` is a UUID that identifies the transaction. */
  async beginChange(
    { userIds, hasConfiguration }: Changed,
    writer: string,
    unsent: Unsent | null = null
  ) {
    if (hasConfiguration) await this.#configuration.beginChange(writer)
    const marked = this.#lease.beginChange(userIds, writer, unsent?.ended)
    const sent = unsent && this.#unsent.send(unsent, { besides: userIds })
    await Promise.all([marked, sent]).catch((error) => {
      if (unsent) this.#unsent.undo(unsent)
      throw error
    })
  }

  async endChange({ userIds, hasConfiguration }: Changed, writer: string) {
    await this.#lease.endChange(userIds, writer)
    if (hasConfiguration) await this.#configuration.endChange(writer)
  }

  startSession(session: SessionRecord, limit: number, trx?: Transaction) {
    if (trx) return this.#sessions.start(session, limit, trx)
    return this.#db.transaction((own) => this.#sessions.startAlone(session, limit, own))
  }

  startSharedSession(session: SessionRecord, start: SharedStart, trx: Transaction) {
    return this.#sessions.startShared(session, start, trx)
  }

  findSession(userId: string, sessionId: string, now: number) {
    return this.#sessions.find(userId, sessionId, now)
  }

  listSessions(userId: string, now: number, trx?: Transaction) {
    return this.#sessions.list(userId, now, trx)
  }

  isSessionAlive(session: { userId: string; sessionId: string }, now: number, trx: Transaction) {
    return this.#sessions.isAlive(session, now, trx)
  }

  scanSessions(request: ScanRequest) {
    return this.#scan.page(request)
  }

  countSessions() {
    return this.#scan.count()
  }

  touchSession(userId: string, sessionId: string, at: number) {
    return this.#sessions.touch(userId, sessionId, at)
  }

  reauthenticateSession(
    session: { userId: string; sessionId: string },
    authentication: { amr: string[]; at: number }
  ) {
    return this.#sessions.reauthenticate(session, authentication)
  }

  rotateRefresh(
    session: { userId: string; sessionId: string },
    rotation: { current: string; next: string; at: number }
  ) {
    return this.#sessions.rotateRefresh(session, rotation)
  }

  endSession(userId: string, sessionId: string, trx?: Transaction) {
    return this.#within(trx, (own) => this.#sessions.end(userId, sessionId, own))
  }

  endSessions(userId: string, which: SessionSelection, trx?: Transaction) {
    return this.#within(trx, (own) => this.#sessions.endSelected(userId, which, own))
  }

  revokeToken(token: TokenReference, expiresAt: number, trx?: Transaction) {
    return this.#within(trx, (own) => this.#sessions.revokeToken(token, expiresAt, own))
  }

  #within<Result>(trx: Transaction | undefined, work: (trx: Transaction) => Promise<Result>) {
    return trx ? work(trx) : this.#db.transaction(work)
  }

  reserveAttempt(countKey: string, limits: AttemptLimits & { id: string }, now: number) {
    return this.#attempts.reserve(countKey, limits, now)
  }

  returnAttempt(countKey: string, id: string) {
    return this.#attempts.return(countKey, id)
  }

  lockAttempts(countKey: string, lock: AttemptsLock, trx?: Transaction) {
    return this.#attempts.lock(countKey, lock, trx)
  }

  clearAttempts(countKey: string, trx?: Transaction) {
    return this.#attempts.clear(countKey, trx)
  }

  unlockAttempts(countKey: string, trx?: Transaction) {
    return this.#attempts.unlock(countKey, trx)
  }

  /** Redis deletes expired keys by itself, but not the index entries that name them. */
  async prune(now: number) {
    const counts = { table: 'rate_limits', column: 'expire' }
    const limits = await deleteExpired(this.#db.connection(), counts, now)
    const revocations = await this.#revocationLog.prune(now)
    return limits + revocations + (await this.#scan.prune(now))
  }

  close = async () => this.#redis.client.disconnect()
}

/** @param memory the answer of `INFO memory` */
function evicts(memory: string) {
  const isBounded = !/^maxmemory:0\r?$/m.test(memory)
  return isBounded && !/^maxmemory_policy:noeviction\r?$/m.test(memory)
}
