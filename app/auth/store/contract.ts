import type { Transaction } from '#database/transaction'
import type { Sentence } from '#i18n/sentences'
import type { ApiKeyRow } from './database/api_key_row.ts'
import type { ClientAddressKeys, ClientAddressRow } from './database/client_address_row.ts'

// The contract of every driver. Each method is atomic: no caller reads, decides and writes. Times
// are milliseconds since the epoch; callers pass `now`, so that tests can move it.
// The database driver joins `trx`. The Redis driver sends what ends, revokes, locks or clears right
// before the commit of `trx`, and other changes at once. A read within `trx` lacks what it has ended.

export interface SessionRecord {
  /** UUID v4, the `sessionId` claim of the refresh token. */
  id: string
  userId: string
  /** Null for a session without an application. */
  clientId: string | null
  /** As sent in `x-device-id`, or `default`. */
  deviceId: string
  deviceName: string
  ip: string
  userAgent: string | null
  /** SHA-256 of the `jti` of the accepted refresh token, or of the secret of a page cookie. */
  refreshHash: string
  previousRefreshHash: string | null
  rotatedAt: number | null
  /** How the session started: `password`, `passkey` or the name of the provider. */
  method: string
  /** Authentication method references (RFC 8176), such as `pwd`, `otp`, `mfa`. */
  amr: string[]
  /** A refresh does not renew it. */
  authenticatedAt: number
  createdAt: number
  lastActivityAt: number
  expiresAt: number
}

export type EndedSession = Pick<SessionRecord, 'id' | 'clientId' | 'expiresAt'>

export interface SessionSelection {
  /** The id of a session that stays. */
  except?: string | null
  method?: string
  /** Authentication method references that count as the method. */
  amr?: readonly string[]
}

export interface TokenReference {
  userId: string
  sessionId: string
  /** The `jti` of the token. */
  tokenId: string
}

/** Active as in RFC 7662: the session is alive, the user enabled, and neither was revoked. */
export type TokenStatus =
  { isActive: true; userVersion: string; lastActivityAt: number } | { isActive: false }

export interface ActiveSession {
  session: SessionRecord
  userVersion: string
}

export interface AttemptsLock {
  until: number
  now: number
  /** For Redis: undone where its transaction is refused. The failures counted before are forgotten. */
  isUndoable?: boolean
}

export interface AttemptLimits {
  threshold: number
  windowMs: number
}

/**
 * No password is evaluated without a reservation, which bounds parallel guesses. `number` counts
 * from 1.
 */
export type Reservation =
  | { outcome: 'reserved'; number: number }
  | { outcome: 'locked'; until: number }
  | { outcome: 'exhausted'; until: number }

export interface SessionPage {
  sessions: SessionRecord[]
  /** Null after the last page. */
  nextCursor: string | null
}

export interface ScanRequest {
  /** Null, or a text that is no cursor, asks for the first page. */
  cursor: string | null
  limit: number
  now: number
}

/** For a session that all tokens of a client share. */
export interface SharedStart {
  limit: number
  /** In milliseconds: with a session of the client that lasts longer, no other one starts. */
  until: number
  /** Asked of the database in the statement that inserts. */
  condition: { sql: string; bindings: string[] }
}

export interface TokenStore {
  readonly driver: 'database' | 'redis'

  /** Throws unless the store answers. */
  ping(): Promise<void>

  /** One sentence for each setting that an operator should change although the store answers. */
  warnings(): Promise<Sentence[]>

  /** Reads and notes the version of what is in memory along (`database/configuration_version.ts`). */
  tokenStatus(token: TokenReference, now: number): TokenStatus | Promise<TokenStatus>

  /** The session of a token that is active, with what its status says. */
  findActiveSession(token: TokenReference, now: number): Promise<ActiveSession | null>

  /** For a request that asks for no token status. */
  readConfiguration(): void | Promise<void>

  /** Every driver asks the database: nothing that Redis loses lets a revoked key in. */
  findApiKey(id: string): Promise<ApiKeyRow | null>

  /** Every driver asks the database, and notes the version of what is in memory. */
  findClientAddress(keys: ClientAddressKeys): Promise<ClientAddressRow>

  /**
   * Replaces a session of the same explicit device, ends the oldest beyond `limit`. @returns both
   * A given transaction holds the user's row, so that parallel logins see each other's session.
   */
  startSession(session: SessionRecord, limit: number, trx?: Transaction): Promise<EndedSession[]>

  /**
   * The given transaction holds the user's row.
   * @returns the sessions beyond the limit, which ended; null where this one did not start
   */
  startSharedSession(
    session: SessionRecord,
    start: SharedStart,
    trx: Transaction
  ): Promise<EndedSession[] | null>
  findSession(userId: string, sessionId: string, now: number): Promise<SessionRecord | null>
  listSessions(userId: string, now: number, trx?: Transaction): Promise<SessionRecord[]>

  /** Call it with the user's row locked: the session then cannot end before the commit. */
  isSessionAlive(
    session: { userId: string; sessionId: string },
    now: number,
    trx: Transaction
  ): Promise<boolean>

  /** The database sorts by activity. Redis has no order, and a page may pass `limit` by a few. */
  scanSessions(request: ScanRequest): Promise<SessionPage>

  /** Redis estimates a large number from a sample, which stays cheap. */
  countSessions(now: number): Promise<number>

  touchSession(userId: string, sessionId: string, at: number): Promise<void>

  /** False when the session had ended. */
  reauthenticateSession(
    session: { userId: string; sessionId: string },
    authentication: { amr: string[]; at: number },
    trx?: Transaction
  ): Promise<boolean>

  /** True for the one caller whose `current` was still accepted. */
  rotateRefresh(
    session: { userId: string; sessionId: string },
    rotation: { current: string; next: string; at: number }
  ): Promise<boolean>

  /** Locks the user's row first; null when there was no session. */
  endSession(userId: string, sessionId: string, trx?: Transaction): Promise<EndedSession | null>

  endSessions(userId: string, which: SessionSelection, trx?: Transaction): Promise<EndedSession[]>

  /** Refuses the token until `expiresAt`; false when its session had ended already. */
  revokeToken(token: TokenReference, expiresAt: number, trx?: Transaction): Promise<boolean>

  /**
   * @param countKey hash of an e-mail, a known device, or the user of codes
   * @param id names the attempt, so that it is returned once at most
   */
  reserveAttempt(
    countKey: string,
    limits: AttemptLimits & { id: string },
    now: number
  ): Promise<Reservation>

  /** False where the attempt was not counted. */
  returnAttempt(countKey: string, id: string): Promise<boolean>

  /** A lock that still holds stays as it is. */
  lockAttempts(countKey: string, lock: AttemptsLock, trx?: Transaction): Promise<void>

  clearAttempts(countKey: string, trx?: Transaction): Promise<void>

  /** Clears, too. Returns the end of the lock; null without one. */
  unlockAttempts(countKey: string, trx?: Transaction): Promise<number | null>

  /** Returns the number of rows or keys removed. */
  prune(now: number): Promise<number>

  close(): Promise<void>
}
