import Sqlite from 'better-sqlite3'
import DataLoader from 'dataloader'
import { LRUCache } from 'lru-cache'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { Standing, TokenReference } from './contract.ts'
import { selectRows } from './sql.ts'

/*
 | The look-up behind every authenticated request, kept apart from Lucid because it is
 | the one statement whose cost every client feels. Both ways read committed data only.
 */

interface StandingRow {
  user_version: number
  last_activity_at: number | string
  expires_at: number | string
  is_revoked: number | boolean
}

const COLUMNS = `u.version AS user_version, s.last_activity_at, s.expires_at`

export interface StandingLookup {
  find(token: TokenReference, now: number): Standing | Promise<Standing>
  close(): void
}

function toStanding(row: StandingRow | undefined, now: number): Standing {
  if (!row || row.is_revoked || Number(row.expires_at) <= now) return { isActive: false }
  return {
    isActive: true,
    userVersion: row.user_version,
    lastActivityAt: Number(row.last_activity_at),
  }
}

/** Tokens whose row is kept in this process while nobody writes. */
const CACHED_ROWS = 10_000

/**
 * Embedded: compiled statements on a connection that only reads and never waits for the
 * writer. It opens with the first request, when the migrations have run.
 *
 * `data_version` changes with every commit of any other connection, in this process or
 * another (sqlite.org/pragma.html): while it stays, a row read before is the row as it is.
 */
export function sqliteStanding(file: string): StandingLookup {
  const rows = new LRUCache<string, { row: StandingRow | undefined }>({ max: CACHED_ROWS })
  let connection: Sqlite.Database | undefined
  let statement: Sqlite.Statement<string[], StandingRow>
  let dataVersion: Sqlite.Statement<[], number>
  let rowsVersion: number | undefined

  function open() {
    connection = new Sqlite(file, { readonly: true })
    dataVersion = connection.prepare<[], number>('PRAGMA data_version').pluck()
    statement = connection.prepare(`
      SELECT ${COLUMNS}, EXISTS (SELECT 1 FROM revoked_tokens WHERE token_id = ?) AS is_revoked
      FROM sessions s JOIN users u ON u.id = s.user_id AND u.disabled_at IS NULL
      WHERE s.id = ? AND s.user_id = ?`)
  }

  /** The version is read before the row: a commit in between makes the row outdated, never wrong. */
  function forgetIfChanged() {
    const version = dataVersion.get()
    if (version !== rowsVersion) rows.clear()
    rowsVersion = version
  }

  return {
    find({ tokenId, sessionId, userId }, now) {
      if (!connection) open()
      forgetIfChanged()
      const known = rows.get(tokenId) ?? { row: statement.get(tokenId, sessionId, userId) }
      rows.set(tokenId, known)
      return toStanding(known.row, now)
    },
    close: () => connection?.close(),
  }
}

/** Database server: the look-ups of one turn of the event loop travel as one query. */
export function serverStanding(client: () => QueryClientContract): StandingLookup {
  const sql = `
    SELECT q.place, ${COLUMNS}, r.token_id IS NOT NULL AS is_revoked
    FROM unnest(?::uuid[], ?::uuid[], ?::text[])
      WITH ORDINALITY AS q(session_id, user_id, token_id, place)
    JOIN sessions s ON s.id = q.session_id AND s.user_id = q.user_id
    JOIN users u ON u.id = s.user_id AND u.disabled_at IS NULL
    LEFT JOIN revoked_tokens r ON r.token_id = q.token_id`

  const loader = new DataLoader<TokenReference, StandingRow | undefined>(
    async (tokens) => {
      const bindings = [
        tokens.map((token) => token.sessionId),
        tokens.map((token) => token.userId),
        tokens.map((token) => token.tokenId),
      ]
      const rows = await selectRows<StandingRow & { place: string }>(client(), sql, bindings)
      const byPlace = new Map(rows.map((row) => [Number(row.place), row]))
      return tokens.map((_, index) => byPlace.get(index + 1))
    },
    { cache: false, maxBatchSize: 500 }
  )
  return {
    find: async (token, now) => toStanding(await loader.load(token), now),
    close: () => {},
  }
}
