import { fromRow, toRow } from './session_row.ts'
import { selectRows } from '#database/select_rows'
import type { Database } from '@adonisjs/lucid/database'
import type { TokenLookup } from './token_lookup.ts'
import type {
  AttemptLimits,
  Reservation,
  ScanRequest,
  SessionPage,
  SessionRecord,
  TokenReference,
  TokenStore,
} from '#auth/store/contract'
import type { Transaction } from '#database/transaction'

/** The place of the last session of a part: its last activity and its id. */
const CURSOR = /^(\d{1,15})\.([0-9a-f-]{36})$/

/** The store in the product's own database: what it writes belongs to the caller's transaction. */
export class DatabaseStore implements TokenStore {
  readonly driver = 'database'
  #db: Database
  #lookup: TokenLookup

  constructor(db: Database, lookup: TokenLookup) {
    this.#db = db
    this.#lookup = lookup
  }

  async ping() {
    await this.#db.rawQuery('SELECT 1')
  }

  async warnings() {
    return []
  }

  tokenStatus(token: TokenReference, now: number) {
    return this.#lookup.find(token, now)
  }

  async startSession(session: SessionRecord, limit: number, trx?: Transaction): Promise<void> {
    if (!trx) return this.#db.transaction((own) => this.startSession(session, limit, own))
    await this.#lockUserForUpdate(session.userId, trx)
    if (session.deviceId !== 'default') {
      const sameDevice = { user_id: session.userId, device_id: session.deviceId }
      await trx.from('sessions').where(sameDevice).delete()
    }
    await trx.table('sessions').insert(toRow(session))
    await this.#endOldest(session.userId, limit, trx)
  }

  /** Two logins of one user take turns: neither sees a device or a place that the other is taking. */
  async #lockUserForUpdate(userId: string, trx: Transaction) {
    await trx.from('users').where('id', userId).forUpdate().select('id')
  }

  async #endOldest(userId: string, limit: number, trx: Transaction) {
    const surplus = trx
      .from('sessions')
      .where('user_id', userId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .offset(limit)
      .limit(1_000)
      .select('id')
    await trx.from('sessions').where('user_id', userId).whereIn('id', surplus).delete()
  }

  async findSession(userId: string, sessionId: string, now: number) {
    const session = await this.#lookup.findSession(userId, sessionId)
    return session && session.expiresAt > now ? session : null
  }

  async listSessions(userId: string, now: number) {
    const rows = await this.#db
      .from('sessions')
      .where('user_id', userId)
      .where('expires_at', '>', now)
      .orderBy('last_activity_at', 'desc')
      .orderBy('id')
    return rows.map(fromRow)
  }

  async scanSessions({ cursor, limit, now }: ScanRequest): Promise<SessionPage> {
    const query = this.#db
      .from('sessions')
      .where('expires_at', '>', now)
      .orderBy('last_activity_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit + 1)
    const after = CURSOR.exec(cursor ?? '')
    if (after) query.whereRaw('(last_activity_at, id) < (?, ?)', [Number(after[1]), after[2]])
    const rows = await query
    const sessions = rows.slice(0, limit).map(fromRow)
    const last = sessions.at(-1)
    const nextCursor = last && rows.length > limit ? `${last.lastActivityAt}.${last.id}` : null
    return { sessions, nextCursor }
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

  async endSession(userId: string, sessionId: string, trx?: Transaction) {
    const ended = await (trx ?? this.#db)
      .from('sessions')
      .where({ id: sessionId, user_id: userId })
      .delete()
    return Number(ended) === 1
  }

  async endSessions(userId: string, except: string | null, trx?: Transaction) {
    const query = (trx ?? this.#db).from('sessions').where('user_id', userId)
    if (except) query.whereNot('id', except)
    return Number(await query.delete())
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

  /**
   * One statement counts and decides. A lapsed window or lock starts a new count; a row
   * comes back only to the caller who got a place.
   */
  async reserveAttempt(emailHash: string, limits: AttemptLimits, now: number) {
    const { threshold, windowMs } = limits
    const [reserved] = await selectRows<{ attempts: number }>(
      this.#db.connection(),
      `INSERT INTO login_attempts AS a (email_hash, attempts, expires_at) VALUES (?, 1, ?)
       ON CONFLICT (email_hash) DO UPDATE SET
         attempts = CASE WHEN a.expires_at <= ? OR a.locked_until IS NOT NULL THEN 1
                         ELSE a.attempts + 1 END,
         expires_at = CASE WHEN a.expires_at <= ? OR a.locked_until IS NOT NULL
                           THEN excluded.expires_at ELSE a.expires_at END,
         locked_until = NULL
       WHERE (a.locked_until IS NULL AND (a.expires_at <= ? OR a.attempts < ?))
          OR a.locked_until <= ?
       RETURNING attempts${this.#unsynced}`,
      [emailHash, now + windowMs, now, now, now, threshold, now]
    )
    if (reserved) return { outcome: 'reserved', number: reserved.attempts } as Reservation
    return this.#refusedAttempt(emailHash, now)
  }

  /**
   * A count waits for no disk of Postgres: what follows it, a failure or a session, is
   * written behind it and synced before anybody is answered. SQLite does the same in
   * `database/embedded_connection.ts`.
   */
  get #unsynced() {
    const isServer = this.#db.connection().dialect.name === 'postgres'
    return isServer ? ", set_config('synchronous_commit', 'off', true)" : ''
  }

  async #refusedAttempt(emailHash: string, now: number): Promise<Reservation> {
    const row = await this.#db.from('login_attempts').where('email_hash', emailHash).first()
    if (row?.locked_until) return { outcome: 'locked', until: Number(row.locked_until) }
    return { outcome: 'exhausted', until: Number(row?.expires_at ?? now) }
  }

  async returnAttempt(emailHash: string) {
    await this.#db
      .from('login_attempts')
      .where('email_hash', emailHash)
      .where('attempts', '>', 0)
      .whereNull('locked_until')
      .decrement('attempts', 1)
  }

  async lockAttempts(emailHash: string, until: number, now: number, trx?: Transaction) {
    await selectRows(
      trx ?? this.#db.connection(),
      `INSERT INTO login_attempts AS a (email_hash, attempts, expires_at, locked_until)
       VALUES (?, 0, ?, ?)
       ON CONFLICT (email_hash) DO UPDATE SET locked_until = excluded.locked_until
       WHERE a.locked_until IS NULL OR a.locked_until <= ?
       RETURNING email_hash`,
      [emailHash, until, until, now]
    )
  }

  async clearAttempts(emailHash: string, trx?: Transaction) {
    await (trx ?? this.#db).from('login_attempts').where('email_hash', emailHash).delete()
  }

  async prune(now: number) {
    const lapsed = [
      this.#db.from('sessions').where('expires_at', '<=', now),
      this.#db.from('revoked_tokens').where('expires_at', '<=', now),
      this.#db
        .from('login_attempts')
        .where('expires_at', '<=', now)
        .where((query) => query.whereNull('locked_until').orWhere('locked_until', '<=', now)),
      this.#db.from('rate_limits').where('expire', '<=', now),
    ]
    let removed = 0
    for (const query of lapsed) removed += Number(await query.delete())
    return removed
  }

  async close() {
    this.#lookup.close()
  }
}
