import { lockUserRow } from '#auth/store/database/lock_user_row'
import { selectRows } from '#database/select_rows'
import { sessionIndexKey, sessionKeyPrefix, sessionKeys } from './keys.ts'
import { fromFields, toEnded, toFields, toText } from './session_hash.ts'
import type {
  EndedSession,
  SessionRecord,
  SessionSelection,
  SharedStart,
  TokenReference,
} from '#auth/store/contract'
import type { Transaction } from '#database/transaction'
import type { RedisConnection } from './connection.ts'
import type { RevocationLog } from './revocation_log.ts'

export class Sessions {
  #redis: RedisConnection
  #revocationLog: RevocationLog

  constructor(redis: RedisConnection, revocationLog: RevocationLog) {
    this.#redis = redis
    this.#revocationLog = revocationLog
  }

  async start(session: SessionRecord, limit: number, trx: Transaction) {
    const { id, userId, deviceId, createdAt, expiresAt } = session
    const keys = sessionKeys(userId, id)
    const settings = [id, sessionKeyPrefix(userId), deviceId, limit, createdAt, expiresAt]
    const args = [...settings, ...toFields(session)]
    // Before the start: Redis may run a script whose reply is late.
    trx.after('rollback', () => this.#redis.run('gatehouseEndSession', keys, [id]))
    const ended = toEnded(await this.#redis.run<string[]>('gatehouseStartSession', keys, args))
    await this.#revocationLog.record(userId, ended.map(toRevocation), trx)
    return ended
  }

  /** The user's row is locked, so that no other session starts in between. */
  async startShared(session: SessionRecord, start: SharedStart, trx: Transaction) {
    const current = await this.list(session.userId, start.until)
    if (current.some(({ clientId }) => clientId === session.clientId)) return null
    const { sql, bindings } = start.condition
    const [met] = await selectRows(trx, `SELECT 1 WHERE ${sql}`, bindings)
    return met ? this.start(session, start.limit, trx) : null
  }

  async find(userId: string, sessionId: string, now: number) {
    const keys = sessionKeys(userId, sessionId)
    const fields = await this.#redis.run<string[]>('gatehouseFindSession', keys, [sessionId])
    const session = fromFields(fields)
    return session && session.expiresAt > now ? session : null
  }

  async list(userId: string, now: number) {
    const [keys, args] = [[sessionIndexKey(userId)], [sessionKeyPrefix(userId)]]
    const hashes = await this.#redis.run<string[][]>('gatehouseListSessions', keys, args)
    return hashes
      .map(fromFields)
      .filter((each) => each !== null)
      .filter(({ expiresAt }) => expiresAt > now)
      .sort(byActivity)
  }

  /** The log has each committed end of a session, even if Redis has lost it. */
  async isAlive(
    { userId, sessionId }: { userId: string; sessionId: string },
    now: number,
    trx: Transaction
  ) {
    const hasEnded = await this.#revocationLog.hasEnded(userId, sessionId, trx)
    return !hasEnded && (await this.find(userId, sessionId, now)) !== null
  }

  async touch(userId: string, sessionId: string, at: number) {
    const keys = sessionKeys(userId, sessionId)
    await this.#redis.run('gatehouseTouchSession', keys, [sessionId, at])
  }

  async reauthenticate(
    { userId, sessionId }: { userId: string; sessionId: string },
    { amr, at }: { amr: string[]; at: number }
  ) {
    const args = [sessionId, toText(amr), at]
    const keys = sessionKeys(userId, sessionId)
    return (await this.#redis.run<number>('gatehouseReauthenticateSession', keys, args)) === 1
  }

  async rotateRefresh(
    { userId, sessionId }: { userId: string; sessionId: string },
    { current, next, at }: { current: string; next: string; at: number }
  ) {
    const args = [sessionId, current, next, at]
    const keys = sessionKeys(userId, sessionId)
    return (await this.#redis.run<number>('gatehouseRotateRefresh', keys, args)) === 1
  }

  async end(userId: string, sessionId: string, trx: Transaction) {
    await lockUserRow(userId, trx)
    const keys = sessionKeys(userId, sessionId)
    const reply = await this.#redis.run<string[]>('gatehouseEndSession', keys, [sessionId])
    const ended = toEnded(reply)
    await this.#revocationLog.record(userId, ended.map(toRevocation), trx)
    return ended[0] ?? null
  }

  async endSelected(userId: string, which: SessionSelection, trx: Transaction) {
    await lockUserRow(userId, trx)
    const keys = [sessionIndexKey(userId)]
    const { except, method = '', amr = [] } = which
    const args = [sessionKeyPrefix(userId), except ?? '', method, ...amr]
    const ended = toEnded(await this.#redis.run<string[]>('gatehouseEndSessions', keys, args))
    await this.#revocationLog.record(userId, ended.map(toRevocation), trx)
    return ended
  }

  async revokeToken(token: TokenReference, expiresAt: number, trx: Transaction) {
    const { userId, sessionId, tokenId } = token
    const args = [sessionId, tokenId, expiresAt, Date.now()]
    const keys = sessionKeys(userId, sessionId)
    const revoked = await this.#redis.run<number>('gatehouseRevokeToken', keys, args)
    if (revoked === 0) return false
    await this.#revocationLog.record(userId, [{ sessionId, tokenId, expiresAt }], trx)
    return true
  }
}

function byActivity(one: SessionRecord, other: SessionRecord) {
  return other.lastActivityAt - one.lastActivityAt || (one.id < other.id ? -1 : 1)
}

function toRevocation({ id, expiresAt }: EndedSession) {
  return { sessionId: id, tokenId: null, expiresAt }
}
