import type { Database } from '@adonisjs/lucid/database'
import type {
  AttemptLimits,
  AttemptsLock,
  EndedSession,
  ScanRequest,
  SessionRecord,
  SessionSelection,
  SharedStart,
  TokenReference,
  TokenStore,
} from '#auth/store/contract'
import { deleteExpired } from '#database/delete_expired'
import { selectRows } from '#database/select_rows'
import type { Transaction } from '#database/transaction'
import { LoginAttempts } from './attempts.ts'
import type { ClientAddressKeys } from './client_address_row.ts'
import { lockUserRow } from './lock_user_row.ts'
import { scanSessions } from './scan_sessions.ts'
import {
  deleteSessions,
  endDevice,
  endOldest,
  insertSession,
  startSharedSession,
} from './session_changes.ts'
import { fromRow, provedBy } from './session_row.ts'
import type { TokenLookup } from './token_lookup.ts'

const EXPIRING = [
  { table: 'sessions' },
  { table: 'revoked_tokens' },
  { table: 'rate_limits', column: 'expire' },
]

/** Writes join the caller's transaction. */
export class DatabaseStore implements TokenStore {
  readonly driver = 'database'
  #db: Database
  #lookup: TokenLookup
  #attempts: LoginAttempts

  constructor(db: Database, lookup: TokenLookup) {
    this.#db = db
    this.#lookup = lookup
    this.#attempts = new LoginAttempts(db)
  }

  ping = async () => void (await this.#db.rawQuery('SELECT 1'))

  warnings = async () => []

  tokenStatus(token: TokenReference, now: number) {
    return this.#lookup.tokenStatus(token, now)
  }

  findActiveSession(token: TokenReference, now: number) {
    return this.#lookup.findActiveSession(token, now)
  }

  readConfiguration = () => this.#lookup.readConfiguration()

  findApiKey(id: string) {
    return this.#lookup.findApiKey(id)
  }

  findClientAddress(keys: ClientAddressKeys) {
    return this.#lookup.findClientAddress(keys)
  }

  async startSession(
    session: SessionRecord,
    limit: number,
    trx?: Transaction
  ): Promise<EndedSession[]> {
    if (!trx) return this.#startAlone(session, limit)
    const { userId, deviceId } = session
    const replaced = deviceId === 'default' ? [] : await endDevice(userId, deviceId, trx)
    const total = await insertSession(session, trx)
    return total < limit ? replaced : [...replaced, ...(await endOldest(session, limit, trx))]
  }

  startSharedSession(session: SessionRecord, start: SharedStart, trx: Transaction) {
    return startSharedSession(session, start, trx)
  }

  #startAlone(session: SessionRecord, limit: number) {
    return this.#db.transaction(async (trx) => {
      await lockUserRow(session.userId, trx)
      return this.startSession(session, limit, trx)
    })
  }

  async findSession(userId: string, sessionId: string, now: number) {
    const session = await this.#lookup.findSession(userId, sessionId)
    return session && session.expiresAt > now ? session : null
  }

  async listSessions(userId: string, now: number, trx?: Transaction) {
    const rows = await (trx ?? this.#db)
      .from('sessions')
      .where('user_id', userId)
      .where('expires_at', '>', now)
      .orderBy('last_activity_at', 'desc')
      .orderBy('id')
    return rows.map(fromRow)
  }

  async isSessionAlive(
    { userId, sessionId }: { userId: string; sessionId: string },
    now: number,
    trx: Transaction
  ) {
    const session = trx.from('sessions').where({ id: sessionId, user_id: userId })
    return Boolean(await session.where('expires_at', '>', now).select('id').first())
  }

  scanSessions(request: ScanRequest) {
    return scanSessions(this.#db, request)
  }

  async countSessions(now: number) {
    const [row] = await this.#db.from('sessions').where('expires_at', '>', now).count('* as total')
    return Number(row.total)
  }

  async touchSession(userId: string, sessionId: string, at: number) {
    await this.#db
      .from('sessions')
      .where({ id: sessionId, user_id: userId })
      .where('last_activity_at', '<', at)
      .update({ last_activity_at: at })
  }

  async reauthenticateSession(
    { userId, sessionId }: { userId: string; sessionId: string },
    { amr, at }: { amr: string[]; at: number },
    trx?: Transaction
  ) {
    const session = (trx ?? this.#db).from('sessions').where({ id: sessionId, user_id: userId })
    const changed = await session.update({ amr: amr.join(' '), authenticated_at: at })
    return Number(changed) === 1
  }

  async rotateRefresh(
    { userId, sessionId }: { userId: string; sessionId: string },
    { current, next, at }: { current: string; next: string; at: number }
  ) {
    const changed = await this.#db
      .from('sessions')
      .where({ id: sessionId, user_id: userId, refresh_hash: current })
      .update({ refresh_hash: next, previous_refresh_hash: current, rotated_at: at })
    return Number(changed) === 1
  }

  async endSession(
    userId: string,
    sessionId: string,
    trx?: Transaction
  ): Promise<EndedSession | null> {
    if (!trx) return this.#db.transaction((own) => this.endSession(userId, sessionId, own))
    await lockUserRow(userId, trx)
    const [ended] = await deleteSessions('id = ? AND user_id = ?', [sessionId, userId], trx)
    return ended ?? null
  }

  async endSessions(
    userId: string,
    which: SessionSelection,
    trx?: Transaction
  ): Promise<EndedSession[]> {
    if (!trx) return this.#db.transaction((own) => this.endSessions(userId, which, own))
    await lockUserRow(userId, trx)
    const others = which.except ? [which.except] : []
    const proved = provedBy(which)
    const condition = `user_id = ?${which.except ? ' AND id <> ?' : ''}${proved.condition}`
    return deleteSessions(condition, [userId, ...others, ...proved.bindings], trx)
  }

  async revokeToken(token: TokenReference, expiresAt: number, trx?: Transaction) {
    const rows = await selectRows(
      trx ?? this.#db.connection(),
      `INSERT INTO revoked_tokens (token_id, session_id, expires_at)
       SELECT ?, id, ? FROM sessions WHERE id = ? AND user_id = ?
       ON CONFLICT (token_id) DO UPDATE SET expires_at = excluded.expires_at
       RETURNING token_id`,
      [token.tokenId, expiresAt, token.sessionId, token.userId]
    )
    return rows.length === 1
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

  async clearAttempts(countKey: string, trx?: Transaction) {
    await this.#attempts.unlock(countKey, trx)
  }

  unlockAttempts(countKey: string, trx?: Transaction) {
    return this.#attempts.unlock(countKey, trx)
  }

  async prune(now: number) {
    let removed = await this.#attempts.prune(now)
    for (const each of EXPIRING) removed += await deleteExpired(this.#db.connection(), each, now)
    return removed
  }

  close = async () => this.#lookup.close()
}
