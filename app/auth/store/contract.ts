import type { Transaction } from '#database/transaction'

/*
 | What the token and session store does, whichever driver holds it. Every method is
 | atomic in the store: no caller reads, decides and writes. Points in time are
 | milliseconds since the epoch; `now` comes from the caller, so that a test can move it.
 |
 | `trx` is the transaction of the change that the call belongs to: the database driver
 | joins it, a driver of another store has nothing to join and ignores it.
 */

export interface SessionRecord {
  /** UUID v4, the `sessionId` claim of the refresh token. */
  id: string
  userId: string
  /** As sent in `x-device-id`, or `default`. */
  deviceId: string
  /** Derived from the user agent, such as “Chrome on Windows”. */
  deviceName: string
  ip: string
  userAgent: string | null
  /** SHA-256 of the refresh token that the session accepts. */
  refreshHash: string
  /** The refresh token before the last rotation, and when it was replaced. */
  previousRefreshHash: string | null
  rotatedAt: number | null
  createdAt: number
  lastActivityAt: number
  expiresAt: number
}

/** What a Bearer token names: the user, the session and the token itself. */
export interface TokenReference {
  userId: string
  sessionId: string
  /** The `jti` of the token. */
  tokenId: string
}

/** Whether a token still counts. A token is refused unless its session is found alive. */
export type TokenStatus =
  { isActive: true; userVersion: number; lastActivityAt: number } | { isActive: false }

export interface AttemptLimits {
  threshold: number
  windowMs: number
}

/**
 * A place among the attempts of a window. `number` counts from 1; nobody may evaluate a
 * password without holding one, which is what bounds parallel guessing.
 */
export type Reservation =
  | { outcome: 'reserved'; number: number }
  | { outcome: 'locked'; until: number }
  | { outcome: 'exhausted'; until: number }

/** A part of everybody's sessions, for administrators. */
export interface SessionPage {
  sessions: SessionRecord[]
  /** What to pass for the next part; null after the last one. */
  nextCursor: string | null
}

export interface ScanRequest {
  /** From the part before; null for the first one, and so is anything that is no cursor. */
  cursor: string | null
  limit: number
  now: number
}

export interface TokenStore {
  readonly driver: 'database' | 'redis'

  /** Throws unless the store answers. */
  ping(): Promise<void>

  /** What an operator should change although the store answers, a sentence each. */
  warnings(): Promise<string[]>

  /** The one round trip of every authenticated request. */
  tokenStatus(token: TokenReference, now: number): TokenStatus | Promise<TokenStatus>

  /**
   * Starts a session. One of the same explicit device is replaced, and of more than
   * `limit` the oldest end, in the same step.
   */
  startSession(session: SessionRecord, limit: number, trx?: Transaction): Promise<void>
  findSession(userId: string, sessionId: string, now: number): Promise<SessionRecord | null>
  listSessions(userId: string, now: number): Promise<SessionRecord[]>

  /**
   * Live sessions of everybody, in parts. The database lists the most recently active
   * first; Redis has no such order, and a part may hold a few more or fewer than `limit`.
   */
  scanSessions(request: ScanRequest): Promise<SessionPage>

  /** How many sessions live. Redis samples once they are many, so that asking stays cheap. */
  countSessions(now: number): Promise<number>

  touchSession(userId: string, sessionId: string, at: number): Promise<void>

  /** Replaces the refresh token, if `current` still is the one accepted; true for the one caller who did. */
  rotateRefresh(
    session: { userId: string; sessionId: string },
    rotation: { current: string; next: string; at: number }
  ): Promise<boolean>

  /** Ends a session of this user; false when there was none. */
  endSession(userId: string, sessionId: string, trx?: Transaction): Promise<boolean>

  /** Ends all sessions of the user but `except`, and tells how many there were. */
  endSessions(userId: string, except: string | null, trx?: Transaction): Promise<number>

  /** Refuses one access token until `expiresAt`; false when its session had ended already. */
  revokeToken(token: TokenReference, expiresAt: number, trx?: Transaction): Promise<boolean>

  reserveAttempt(emailHash: string, limits: AttemptLimits, now: number): Promise<Reservation>

  /** Gives back a reservation whose password was never evaluated. */
  returnAttempt(emailHash: string): Promise<void>

  /** Refuses further attempts until then; an earlier lock that still holds is left as it is. */
  lockAttempts(emailHash: string, until: number, now: number, trx?: Transaction): Promise<void>

  /** Forgets attempts and lock of an e-mail. */
  clearAttempts(emailHash: string, trx?: Transaction): Promise<void>

  /** Removes what has expired; the number of rows or keys removed. */
  prune(now: number): Promise<number>

  close(): Promise<void>
}
