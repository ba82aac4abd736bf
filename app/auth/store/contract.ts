import type { Transaction } from '#database/transaction'
import type { ApiKeyRow } from './database/api_key_row.ts'

/*
 | The contract of the token and session store, which every driver keeps. Every method is
 | atomic in the store: no caller reads, decides and writes. Points in time are
 | milliseconds since the epoch; `now` comes from the caller, so that a test can move it.
 |
 | `trx` is the transaction of the change that the call belongs to. The database driver
 | joins it; the Redis driver sends to Redis at once.
 */

export interface SessionRecord {
  /** UUID v4, the `sessionId` claim of the refresh token. */
  id: string
  userId: string
  /** The client of the OpenID provider that the session is with; null for one with us. */
  clientId: string | null
  /** As sent in `x-device-id`, or `default`. */
  deviceId: string
  /** Derived from the user agent, such as “Chrome on Windows”. */
  deviceName: string
  ip: string
  userAgent: string | null
  /** SHA-256 of the `jti` of the refresh token that the session accepts, or of the secret of a page cookie. */
  refreshHash: string
  /** The refresh token before the last rotation, and when it was replaced. */
  previousRefreshHash: string | null
  rotatedAt: number | null
  /** How the session started: `password`, `passkey` or the name of the provider. */
  method: string
  /** How its holder proved themselves last (RFC 8176), such as `pwd`, `otp`, `mfa`. */
  amr: string[]
  /** When that was. A refresh does not renew it. */
  authenticatedAt: number
  createdAt: number
  lastActivityAt: number
  expiresAt: number
}

/** A session that was ended before its time. */
export type EndedSession = Pick<SessionRecord, 'id' | 'clientId' | 'expiresAt'>

/** Sessions of one user: all, unless told otherwise. */
export interface SessionSelection {
  /** The id of a session that goes on. */
  except?: string | null
  /** Only those that started by this method, or were proved by one of `amr`. */
  method?: string
  /** Authentication method references that count as the method. */
  amr?: readonly string[]
}

/** The user, the session and the id that a Bearer token names. */
export interface TokenReference {
  userId: string
  sessionId: string
  /** The `jti` of the token. */
  tokenId: string
}

/** Whether a token is active (RFC 7662): its session is alive, its user enabled, and neither was revoked. */
export type TokenStatus =
  { isActive: true; userVersion: string; lastActivityAt: number } | { isActive: false }

/** A lock of the attempts, both times in milliseconds since the epoch. */
export interface AttemptsLock {
  until: number
  now: number
}

export interface AttemptLimits {
  threshold: number
  windowMs: number
}

/**
 * The permission to evaluate one password. `number` counts the attempts of a window from 1.
 * No password is evaluated without a reservation, which bounds parallel guesses.
 */
export type Reservation =
  | { outcome: 'reserved'; number: number }
  | { outcome: 'locked'; until: number }
  | { outcome: 'exhausted'; until: number }

/** A page of the sessions of all users, for administrators. */
export interface SessionPage {
  sessions: SessionRecord[]
  /** The cursor of the next page; null after the last one. */
  nextCursor: string | null
}

export interface ScanRequest {
  /** From the page before. Null, or a text that is no cursor, asks for the first page. */
  cursor: string | null
  limit: number
  now: number
}

export interface TokenStore {
  readonly driver: 'database' | 'redis'

  /** Throws unless the store answers. */
  ping(): Promise<void>

  /** One sentence for each setting that an operator should change although the store answers. */
  warnings(): Promise<string[]>

  /** Every authenticated request asks this, and nothing else of the store. */
  tokenStatus(token: TokenReference, now: number): TokenStatus | Promise<TokenStatus>

  /**
   * An API key of an enabled user. Every driver asks the database, which has the one truth
   * about keys: nothing that Redis loses or forgets lets a revoked key in.
   */
  findApiKey(id: string): Promise<ApiKeyRow | null>

  /**
   * Starts a session. In the same step it replaces a session of the same explicit device
   * and ends the oldest sessions beyond `limit`; those are returned. A transaction that is given
   * holds the row of the user: two logins of one user take turns, so that neither misses the
   * other's session.
   */
  startSession(session: SessionRecord, limit: number, trx?: Transaction): Promise<EndedSession[]>
  findSession(userId: string, sessionId: string, now: number): Promise<SessionRecord | null>
  listSessions(userId: string, now: number, trx?: Transaction): Promise<SessionRecord[]>

  /**
   * Whether a session is alive, as the transaction sees it that holds the row of its user: no
   * end of it falls between this answer and the commit.
   */
  isSessionAlive(
    session: { userId: string; sessionId: string },
    now: number,
    trx: Transaction
  ): Promise<boolean>

  /**
   * Live sessions of all users, page by page. The database lists the most recently active
   * first; Redis has no such order, and a page may have a few more or fewer than `limit`.
   */
  scanSessions(request: ScanRequest): Promise<SessionPage>

  /** How many sessions are live. Redis estimates a large number from a sample, which stays cheap. */
  countSessions(now: number): Promise<number>

  touchSession(userId: string, sessionId: string, at: number): Promise<void>

  /** Notes that the holder has proved themselves again; false when the session had ended. */
  reauthenticateSession(
    session: { userId: string; sessionId: string },
    proof: { amr: string[]; at: number }
  ): Promise<boolean>

  /** Replaces the refresh token if `current` is still accepted; true for the one caller that did. */
  rotateRefresh(
    session: { userId: string; sessionId: string },
    rotation: { current: string; next: string; at: number }
  ): Promise<boolean>

  /** Ends a session of this user, whose row it locks first; null when there was none. */
  endSession(userId: string, sessionId: string, trx?: Transaction): Promise<EndedSession | null>

  /** Ends the selected sessions of the user, whose row it locks first; those that ended. */
  endSessions(userId: string, which: SessionSelection, trx?: Transaction): Promise<EndedSession[]>

  /** Refuses one access token until `expiresAt`; false when its session had ended already. */
  revokeToken(token: TokenReference, expiresAt: number, trx?: Transaction): Promise<boolean>

  /**
   * @param countKey hashes what is counted by: an e-mail, a known device, or the codes of a user
   * @param id names this attempt, so that it is returned once at most
   */
  reserveAttempt(
    countKey: string,
    limits: AttemptLimits & { id: string },
    now: number
  ): Promise<Reservation>

  /** Returns a reserved attempt whose password was never evaluated; false where it was not counted. */
  returnAttempt(countKey: string, id: string): Promise<boolean>

  /** Refuses attempts until then. A lock that still holds stays as it is. */
  lockAttempts(countKey: string, lock: AttemptsLock, trx?: Transaction): Promise<void>

  /** Removes a count and its lock, and returns the end of the lock; null without one. */
  clearAttempts(countKey: string, trx?: Transaction): Promise<number | null>

  /** Removes what has expired; the number of rows or keys removed. */
  prune(now: number): Promise<number>

  close(): Promise<void>
}
