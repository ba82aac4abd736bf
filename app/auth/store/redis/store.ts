import { SessionScan } from './session_scan.ts'
import { attemptsKey, hashKey, hashPrefix, indexKey } from './keys.ts'
import { RevocationLog } from './revocation_log.ts'
import { fromFields, toFields } from './session_hash.ts'
import { LeasedTokenStatus } from './token_status.ts'
import type { Database } from '@adonisjs/lucid/database'
import type { RedisConnection } from './connection.ts'
import type {
  AttemptLimits,
  Reservation,
  ScanRequest,
  SessionRecord,
  TokenReference,
  TokenStore,
} from '#auth/store/contract'
import type { Transaction } from '#database/transaction'

/**
 * The store in Redis, for any number of processes. Sessions are evidence that must be
 * found: whatever Redis forgets is refused, never accepted. What ends before its time is
 * written to the database too, in the caller's transaction (`redis/ledger.ts`).
 */
export class RedisStore implements TokenStore {
  readonly driver = 'redis'
  #redis: RedisConnection
  #db: Database
  #revocationLog: RevocationLog
  #scan: SessionScan
  #tokenStatus: LeasedTokenStatus

  constructor(redis: RedisConnection, db: Database) {
    this.#redis = redis
    this.#db = db
    this.#revocationLog = new RevocationLog(db)
    this.#scan = new SessionScan(redis)
    this.#tokenStatus = new LeasedTokenStatus(redis, this.#revocationLog)
  }

  async ping() {
    await Promise.all(this.#redis.masters().map((server) => server.ping()))
  }

  async warnings() {
    const memories = await Promise.all(this.#redis.masters().map((each) => each.info('memory')))
    if (!memories.some(evicts)) return []
    return ['Redis ends sessions when its memory is full: set maxmemory-policy to noeviction']
  }

  tokenStatus(token: TokenReference, now: number) {
    return this.#tokenStatus.find(token, now)
  }

  beginChange(userIds: string[], writer: string) {
    return this.#tokenStatus.beginChange(userIds, writer)
  }

  endChange(userIds: string[], writer: string) {
    return this.#tokenStatus.endChange(userIds, writer)
  }

  async startSession(session: SessionRecord, limit: number, trx?: Transaction): Promise<void> {
    if (!trx) return this.#db.transaction((own) => this.startSession(session, limit, own))
    const { id, userId, deviceId, createdAt, expiresAt } = session
    const keys = [indexKey(userId), hashKey(userId, id)]
    const settings = [id, hashPrefix(userId), deviceId, limit, createdAt, expiresAt]
    const args = [...settings, ...toFields(session)]
    const ended = await this.#redis.run<string[]>('gatehouseStart', keys, args)
    trx.after('rollback', () => this.#redis.run('gatehouseEnd', keys, [id]))
    await this.#revocationLog.record(userId, toRevocations(ended), trx)
  }

  async findSession(userId: string, sessionId: string, now: number) {
    const keys = [indexKey(userId), hashKey(userId, sessionId)]
    const session = fromFields(await this.#redis.run<string[]>('gatehouseFind', keys, [sessionId]))
    return session && session.expiresAt > now ? session : null
  }

  async listSessions(userId: string, now: number) {
    const keys = [indexKey(userId)]
    const hashes = await this.#redis.run<string[][]>('gatehouseList', keys, [hashPrefix(userId)])
    const sessions = hashes.map(fromFields).filter((each) => each !== null)
    return sessions
      .filter((session) => session.expiresAt > now)
      .sort(
        (one, other) => other.lastActivityAt - one.lastActivityAt || (one.id < other.id ? -1 : 1)
      )
  }

  scanSessions(request: ScanRequest) {
    return this.#scan.page(request)
  }

  countSessions() {
    return this.#scan.count()
  }

  async touchSession(userId: string, sessionId: string, at: number) {
    const keys = [indexKey(userId), hashKey(userId, sessionId)]
    await this.#redis.run('gatehouseTouch', keys, [sessionId, at])
  }

  async rotateRefresh(
    { userId, sessionId }: { userId: string; sessionId: string },
    { current, next, at }: { current: string; next: string; at: number }
  ) {
    const keys = [indexKey(userId), hashKey(userId, sessionId)]
    return (await this.#redis.run('gatehouseRotate', keys, [sessionId, current, next, at])) === 1
  }

  async endSession(userId: string, sessionId: string, trx?: Transaction): Promise<boolean> {
    if (!trx) return this.#db.transaction((own) => this.endSession(userId, sessionId, own))
    const keys = [indexKey(userId), hashKey(userId, sessionId)]
    const expiresAt = await this.#redis.run<string | null>('gatehouseEnd', keys, [sessionId])
    if (expiresAt === null) return false
    await this.#revocationLog.record(userId, toRevocations([sessionId, expiresAt]), trx)
    return true
  }

  async endSessions(userId: string, except: string | null, trx?: Transaction): Promise<number> {
    if (!trx) return this.#db.transaction((own) => this.endSessions(userId, except, own))
    const args = [hashPrefix(userId), except ?? '']
    const ended = await this.#redis.run<string[]>('gatehouseEndAll', [indexKey(userId)], args)
    const revocations = toRevocations(ended)
    await this.#revocationLog.record(userId, revocations, trx)
    return revocations.length
  }

  async revokeToken(token: TokenReference, expiresAt: number, trx?: Transaction): Promise<boolean> {
    if (!trx) return this.#db.transaction((own) => this.revokeToken(token, expiresAt, own))
    const { userId, sessionId, tokenId } = token
    const keys = [indexKey(userId), hashKey(userId, sessionId)]
    const args = [sessionId, tokenId, expiresAt, Date.now()]
    const denied = await this.#redis.run<number>('gatehouseDeny', keys, args)
    if (denied === 0) return false
    await this.#revocationLog.record(userId, [{ sessionId, tokenId, expiresAt }], trx)
    return true
  }

  async reserveAttempt(emailHash: string, limits: AttemptLimits, now: number) {
    const args = [limits.threshold, limits.windowMs, now]
    const keys = [attemptsKey(emailHash)]
    const [outcome, number] = await this.#redis.run<string[]>('gatehouseReserve', keys, args)
    if (outcome === 'reserved') return { outcome, number: Number(number) } as Reservation
    return { outcome, until: Number(number) } as Reservation
  }

  async returnAttempt(emailHash: string) {
    await this.#redis.run('gatehouseReturn', [attemptsKey(emailHash)])
  }

  async lockAttempts(emailHash: string, until: number, now: number) {
    await this.#redis.run('gatehouseLock', [attemptsKey(emailHash)], [until, now])
  }

  async clearAttempts(emailHash: string) {
    await this.#redis.client.del(attemptsKey(emailHash))
  }

  /** Redis forgets by itself what has expired; this removes what it keeps a little longer. */
  async prune(now: number) {
    const limits = await this.#db.from('rate_limits').where('expire', '<=', now).delete()
    const revocations = await this.#revocationLog.prune(now)
    return Number(limits) + revocations + (await this.#scan.tidy(now))
  }

  async close() {
    this.#redis.client.disconnect()
  }
}

/** A script names what it ended as a flat list of ids and times. */
function toRevocations(ended: string[]) {
  return ended.flatMap((id, at) =>
    at % 2 === 0 ? { sessionId: id, tokenId: null, expiresAt: Number(ended[at + 1]) } : []
  )
}

/** Whether a server removes keys to make room, by what it tells of its memory. */
function evicts(memory: string) {
  const isBounded = !/^maxmemory:0\r?$/m.test(memory)
  return isBounded && !/^maxmemory_policy:noeviction\r?$/m.test(memory)
}
