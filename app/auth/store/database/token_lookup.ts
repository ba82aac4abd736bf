import Sqlite from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { SessionRecord, TokenStatus, TokenReference } from '#auth/store/contract'
import { writesBegun } from '#database/sqlite_writes'
import { currentRequestBatch } from './request_batch.ts'
import { batched, alignToKeys } from './query_batch.ts'
import { fromRow } from './session_row.ts'
import { selectRows } from '#database/select_rows'

/*
 | The look-ups behind every authenticated request and every refresh, kept apart from Lucid
 | because their cost is the one that every client feels. Both ways read committed data only.
 */

interface TokenStatusRow {
  user_version: number
  last_activity_at: number | string
  expires_at: number | string
  is_revoked: number | boolean
}

const COLUMNS = `u.version AS user_version, s.last_activity_at, s.expires_at`

export interface TokenLookup {
  find(token: TokenReference, now: number): TokenStatus | Promise<TokenStatus>
  /** A session of this user, expired or not. */
  findSession(userId: string, sessionId: string): Promise<SessionRecord | null>
  close(): void
}

function toTokenStatus(row: TokenStatusRow | undefined, now: number): TokenStatus {
  if (!row || row.is_revoked || Number(row.expires_at) <= now) return { isActive: false }
  return {
    isActive: true,
    userVersion: row.user_version,
    lastActivityAt: Number(row.last_activity_at),
  }
}

/** Tokens and sessions whose rows are kept in this process while nobody writes. */
const CACHED_ROWS = 10_000

/**
 * Embedded: compiled statements on a connection that only reads and never waits for the
 * writer. It opens with the first request, when the migrations have run.
 *
 * `data_version` changes with every commit of any other connection, in this process or
 * another (sqlite.org/pragma.html): while it stays, a row read before is the row as it is.
 */
export function sqliteTokenLookup(file: string): TokenLookup {
  const rows = new LRUCache<string, { row: TokenStatusRow | undefined }>({ max: CACHED_ROWS })
  const sessions = new LRUCache<string, SessionRecord>({ max: CACHED_ROWS })
  let connection: Sqlite.Database | undefined
  let statement: Sqlite.Statement<string[], TokenStatusRow>
  let sessionStatement: Sqlite.Statement<string[], object>
  let dataVersion: Sqlite.Statement<[], number>
  let rowsVersion: number | undefined
  let checked = { batch: null as number | null, writes: -1 }

  function open() {
    connection = new Sqlite(file, { readonly: true })
    dataVersion = connection.prepare<[], number>('PRAGMA data_version').pluck()
    statement = connection.prepare(`
      SELECT ${COLUMNS}, EXISTS (SELECT 1 FROM revoked_tokens WHERE token_id = ?) AS is_revoked
      FROM sessions s JOIN users u ON u.id = s.user_id AND u.disabled_at IS NULL
      WHERE s.id = ? AND s.user_id = ?`)
    sessionStatement = connection.prepare('SELECT * FROM sessions WHERE id = ?')
  }

  /**
   * The version is read before the row: a commit in between makes the row outdated, never
   * wrong. It is read once for all requests that arrived together, unless we wrote since.
   */
  function forgetIfChanged() {
    const [batch, writes] = [currentRequestBatch(), writesBegun()]
    if (batch !== null && batch === checked.batch && writes === checked.writes) return
    checked = { batch, writes }
    const version = dataVersion.get()
    if (version === rowsVersion) return
    rows.clear()
    sessions.clear()
    rowsVersion = version
  }

  function readRow(...key: [tokenId: string, sessionId: string, userId: string]) {
    const read = { row: statement.get(...key) }
    rows.set(key[0], read)
    return read
  }

  function readSession(sessionId: string) {
    const row = sessionStatement.get(sessionId)
    const session = row ? fromRow(row) : null
    if (session) sessions.set(sessionId, session)
    return session
  }

  return {
    find({ tokenId, sessionId, userId }, now) {
      if (!connection) open()
      forgetIfChanged()
      const known = rows.get(tokenId) ?? readRow(tokenId, sessionId, userId)
      return toTokenStatus(known.row, now)
    },
    async findSession(userId, sessionId) {
      if (!connection) open()
      forgetIfChanged()
      const session = sessions.get(sessionId) ?? readSession(sessionId)
      return session?.userId === userId ? session : null
    },
    close: () => connection?.close(),
  }
}

const TOKEN_STATUSES = `
  SELECT q.position, ${COLUMNS}, r.token_id IS NOT NULL AS is_revoked
  FROM unnest(?::uuid[], ?::uuid[], ?::text[])
    WITH ORDINALITY AS q(session_id, user_id, token_id, position)
  JOIN sessions s ON s.id = q.session_id AND s.user_id = q.user_id
  JOIN users u ON u.id = s.user_id AND u.disabled_at IS NULL
  LEFT JOIN revoked_tokens r ON r.token_id = q.token_id`

const SESSIONS = `
  SELECT q.position, s.*
  FROM unnest(?::uuid[], ?::uuid[]) WITH ORDINALITY AS q(session_id, user_id, position)
  JOIN sessions s ON s.id = q.session_id AND s.user_id = q.user_id`

interface Positioned {
  position: number | string
}

interface SessionKey {
  userId: string
  sessionId: string
}

const idsOf = (keys: readonly SessionKey[]) => [
  keys.map((key) => key.sessionId),
  keys.map((key) => key.userId),
]

/** Database server: look-ups that arrive together travel as one query. */
export function postgresTokenLookup(client: () => QueryClientContract): TokenLookup {
  const tokenStatuses = batched<TokenReference, TokenStatusRow & Positioned>(async (tokens) => {
    const bindings = [...idsOf(tokens), tokens.map((token) => token.tokenId)]
    return alignToKeys(await selectRows(client(), TOKEN_STATUSES, bindings), tokens.length)
  })
  const sessions = batched<SessionKey, Positioned>(async (keys) =>
    alignToKeys(await selectRows(client(), SESSIONS, idsOf(keys)), keys.length)
  )
  return {
    find: async (token, now) => toTokenStatus(await tokenStatuses.load(token), now),
    async findSession(userId, sessionId) {
      const row = await sessions.load({ userId, sessionId })
      return row ? fromRow(row) : null
    },
    close: () => {},
  }
}
