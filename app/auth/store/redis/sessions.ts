import { lockUserRow } from '#auth/store/database/lock_user_row'
import { selectRows } from '#database/select_rows'
import { endOfSessions, sessionIndexKey, sessionKeyPrefix, sessionKeys } from './keys.ts'
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
import type { UnsentChanges } from './unsent_changes.ts'

export class Sessions {
  #redis: RedisConnection
  #unsent: UnsentChanges
  #revocationLog: RevocationLog

  constructor(redis: RedisConnection, unsent: UnsentChanges, revocationLog: RevocationLog) {
    this.#redis = redis
    this.#unsent = unsent
    this.#revocationLog = revocationLog
  }

  async startAlone(session: SessionRecord, limit: number, trx: Transaction) {
    await lockUserRow(session.userId, trx)
    return this.start(session, limit, trx)
  }

  async start(session: SessionRecord, limit: number, trx: Transaction) {
    const { id, userId, deviceId, createdAt, expiresAt } = session
    const keys = sessionKeys(userId, id)
    const settings = [id, sessionKeyPrefix(userId), deviceId, limit, createdAt, expiresAt]
    const ended = [...this.#unsent.endedBy(trx, userId)].map((each) => `${each} `)
    const args = [...settings, ended.join(''), ...toFields(session)]
    // Registered before the start, because Redis may run a script whose reply is late.
    const end = endOfSessions(userId, [id])
    trx.after('rollback', () => this.#redis.run('gatehouseEndSessions', end.keys, end.args))
    const reply = await this.#redis.run<string[]>('gatehouseStartSession', keys, args)
    return this.#end(userId, toEnded(reply), trx)
  }

  /** The user's row is locked, so that no other session starts in between. */
  async startShared(session: SessionRecord, start: SharedStart, trx: Transaction) {
    const current = await this.list(session.userId, start.until, trx)
    if (current.some(({ clientId }) => clientId === session.clientId)) return null
    const { sql, bindings } = start.condition
    const [met] = await selectRows(trx, `SELECT 1 WHERE ${sql}`, bindings)
    return met ? this.start(session, start.limit, trx) : null
  }

  async find(userId: string, sessionId: string, now: number) {
    const session = await this.#findAlive(userId, sessionId)
    return session && session.expiresAt > now ? session : null
  }

  async #findAlive(userId: string, sessionId: string, trx?: Transaction) {
    if (this.#unsent.endedBy(trx, userId).has(sessionId)) return null
    const keys = sessionKeys(userId, sessionId)
    return fromFields(await this.#redis.run<string[]>('gatehouseFindSession', keys, [sessionId]))
  }

  async list(userId: string, now: number, trx?: Transaction) {
    const sessions = await this.#listAll(userId, trx)
    return sessions.filter(({ expiresAt }) => expiresAt > now).sort(byActivity)
  }

  async #listAll(userId: string, trx?: Transaction) {
    const [keys, args] = [[sessionIndexKey(userId)], [sessionKeyPrefix(userId)]]
    const hashes = await this.#redis.run<string[][]>('gatehouseListSessions', keys, args)
    const ended = this.#unsent.endedBy(trx, userId)
    return hashes
      .map(fromFields)
      .filter((each) => each !== null)
      .filter(({ id }) => !ended.has(id))
  }

  /** The log contains each committed end of a session, even if Redis has lost the end. */
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
    const session = await this.#findAlive(userId, sessionId, trx)
    if (!session) return null
    const [ended] = await this.#end(userId, [toEndedSession(session)], trx)
    return ended
  }

  async endSelected(userId: string, which: SessionSelection, trx: Transaction) {
    await lockUserRow(userId, trx)
    const sessions = await this.#listAll(userId, trx)
    const selected = sessions.filter((session) => isSelected(session, which))
    return this.#end(userId, selected.map(toEndedSession), trx)
  }

  /** The user's row is locked, so no session starts until the commit, which sends these ends. */
  async #end(userId: string, ended: EndedSession[], trx: Transaction) {
    const ids = ended.map(({ id }) => id)
    await this.#unsent.end(userId, ids, trx)
    await this.#revocationLog.record(userId, ended.map(toRevocation), trx)
    return ended
  }

  async revokeToken(token: TokenReference, expiresAt: number, trx: Transaction) {
    const { userId, sessionId, tokenId } = token
    if (!(await this.#findAlive(userId, sessionId, trx))) return false
    const args = [sessionId, tokenId, expiresAt, Date.now()]
    const keys = sessionKeys(userId, sessionId)
    await this.#unsent.add({ script: 'gatehouseRevokeToken', keys, args }, trx)
    await this.#revocationLog.record(userId, [{ sessionId, tokenId, expiresAt }], trx)
    return true
  }
}

function byActivity(one: SessionRecord, other: SessionRecord) {
  return other.lastActivityAt - one.lastActivityAt || (one.id < other.id ? -1 : 1)
}

function isSelected({ id, ...session }: SessionRecord, { except, method, amr }: SessionSelection) {
  if (id === except) return false
  if (!method || session.method === method) return true
  return session.amr.some((each) => amr?.includes(each))
}

function toEndedSession({ id, clientId, expiresAt }: SessionRecord): EndedSession {
  return { id, clientId, expiresAt }
}

function toRevocation({ id, expiresAt }: EndedSession) {
  return { sessionId: id, tokenId: null, expiresAt }
}
