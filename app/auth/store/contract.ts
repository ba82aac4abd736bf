import type { Transaction } from '#database/transaction'
import type { Sentence } from '#i18n/sentences'
import type { ApiKeyRow } from './database/api_key_row.ts'
import type { ClientAddressKeys, ClientAddressRow } from './database/client_address_row.ts'

// The contract of every driver. Each method is atomic: no caller reads, decides and writes. Times
// are milliseconds since the epoch; callers pass `now`, so that tests can move it.
// The database driver joins `trx`. The Redis driver sends ends, revocations, locks and clears right
// before the commit of `trx`, and other changes immediately. A read in `trx` omits ended sessions.

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
  /** A refresh does not change this time. */
  authenticatedAt: number
  createdAt: number
  lastActivityAt: number
  expiresAt: number
}

export type EndedSession = Pick<SessionRecord, 'id' | 'clientId' | 'expiresAt'>

export interface SessionSelection {
  /** The id of a session that is not ended. */
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
  /** For Redis: undone if the transaction is refused. Failures counted before are forgotten. */
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
  /** In milliseconds: no session starts if the client has a session that lasts longer. */
  until: number
  /** The database checks it in the statement that inserts; for Redis it is checked before. */
  condition: { sql: string; bindings: string[] }
}

export interface TokenStore {
  readonly driver: 'database' | 'redis'

  /** Throws unless the store answers. */
  ping(): Promise<void>

  /** Returns one sentence for each setting that an operator should change while the store works. */
  warnings(): Promise<Sentence[]>

  /** Also reads and notes the version of data in memory (`database/configuration_version.ts`). */
  tokenStatus(token: TokenReference, now: number): TokenStatus | Promise<TokenStatus>

  /** Returns the session of an active token, with the user's version from its status. */
  findActiveSession(token: TokenReference, now: number): Promise<ActiveSession | null>

  /** For a request that does not ask for a token status. */
  readConfiguration(): void | Promise<void>

  /** Every driver asks the database, so that lost data of Redis cannot let a revoked key in. */
  findApiKey(id: string): Promise<ApiKeyRow | null>

  /** Every driver asks the database, and notes the version of the data in memory. */
  findClientAddress(keys: ClientAddressKeys): Promise<ClientAddressRow>

  /**
   * A given transaction locks the user's row, so that parallel logins see each other's session.
   * @returns the replaced session of the same explicit device, and the oldest beyond `limit`
   */
  startSession(session: SessionRecord, limit: number, trx?: Transaction): Promise<EndedSession[]>

  /**
   * The given transaction has locked the user's row.
   * @returns the ended sessions beyond the limit, or null if this session did not start
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

  /** The database sorts by activity. Redis has no order, and a page may exceed `limit` by a few. */
  scanSessions(request: ScanRequest): Promise<SessionPage>

  /** Redis estimates a large number from a sample, which keeps the count cheap. */
  countSessions(now: number): Promise<number>

  touchSession(userId: string, sessionId: string, at: number): Promise<void>

  /** Returns false if the session had ended. */
  reauthenticateSession(
    session: { userId: string; sessionId: string },
    authentication: { amr: string[]; at: number },
    trx?: Transaction
  ): Promise<boolean>

  /** Returns true for the one caller whose `current` was still accepted. */
  rotateRefresh(
    session: { userId: string; sessionId: string },
    rotation: { current: string; next: string; at: number }
  ): Promise<boolean>

  /** Locks the user's row first. Returns null if there was no session. */
  endSession(userId: string, sessionId: string, trx?: Transaction): Promise<EndedSession | null>

  endSessions(userId: string, which: SessionSelection, trx?: Transaction): Promise<EndedSession[]>

  /** Refuses the token until `expiresAt`. Returns false if its session had ended already. */
  revokeToken(token: TokenReference, expiresAt: number, trx?: Transaction): Promise<boolean>

  /**
   * @param countKey hash of an e-mail, a known device, or the user of codes
   * @param id identifies the attempt, so that it is returned only one time
   */
  reserveAttempt(
    countKey: string,
    limits: AttemptLimits & { id: string },
    now: number
  ): Promise<Reservation>

  /** Returns false if the attempt was not counted. */
  returnAttempt(countKey: string, id: string): Promise<boolean>

  /** Does not change a lock that is still in force. */
  lockAttempts(countKey: string, lock: AttemptsLock, trx?: Transaction): Promise<void>

  clearAttempts(countKey: string, trx?: Transaction): Promise<void>

  /** Also clears the attempts. Returns the end of the lock, or null if there was none. */
  unlockAttempts(countKey: string, trx?: Transaction): Promise<number | null>

  /** Returns the number of rows or keys removed. */
  prune(now: number): Promise<number>

  close(): Promise<void>
}
