import Sqlite, { type Statement } from 'better-sqlite3'
import {
  afterLoading,
  configurationLoading,
  noteConfiguration,
} from '#database/configuration_version'
import type { SessionRecord, TokenReference } from '#auth/store/contract'
import { API_KEY_COLUMNS, type ApiKeyRow } from './api_key_row.ts'
import {
  CLIENT_ADDRESS_COLUMNS,
  type ClientAddressKeys,
  type ClientAddressRow,
} from './client_address_row.ts'
import { CommitWatch } from './commit_watch.ts'
import { RowCache } from './row_cache.ts'
import { fromRow } from './session_row.ts'
import {
  CONFIGURATION,
  TOKEN_STATUS_COLUMNS,
  toTokenStatus,
  type TokenLookup,
  type TokenStatusRow,
} from './token_lookup.ts'

// Without the cache a profile costs more than twice as much (docs/performance.md).
const CACHED_ROWS = 10_000

/* Uses `+?`: SQLite recompiles a left join for each value that is compared with a column. */

const TOKEN_STATUS = `
  SELECT ${TOKEN_STATUS_COLUMNS},
    EXISTS (SELECT 1 FROM revoked_tokens WHERE token_id = ?) AS is_revoked
  FROM configuration_version c
  LEFT JOIN sessions s ON s.id = +? AND s.user_id = +?
  LEFT JOIN users u ON u.id = s.user_id AND u.disabled_at IS NULL`

const API_KEY = `
  SELECT ${API_KEY_COLUMNS}
  FROM api_keys k JOIN users u ON u.id = k.user_id AND u.disabled_at IS NULL
  WHERE k.id = ?`

const CLIENT_ADDRESS = `
  SELECT ${CLIENT_ADDRESS_COLUMNS}
  FROM configuration_version c
  LEFT JOIN rate_limits l ON l.key = +?
  LEFT JOIN oauth_records a ON a.kind = +? AND a.id_hash = +?`

// Contains the whole reference: a forged cookie with a foreign token must not cache its answer.
interface CachedStatus {
  userId: string
  sessionId: string
  row: TokenStatusRow
}

interface Reader {
  connection: Sqlite.Database
  watch: CommitWatch
  tokenStatus: Statement<string[], TokenStatusRow>
  session: Statement<string[], object>
  apiKey: Statement<string[], ApiKeyRow>
  clientAddress: Statement<string[], ClientAddressRow>
  configuration: Statement<number[], string>
}

/** Reads on its own connection, which never waits for a writer. */
export class SqliteLookup implements TokenLookup {
  #file: string
  #opened: Reader | undefined
  /** Rows by token id; an unknown token is also cached. */
  #rows = new RowCache<CachedStatus>(CACHED_ROWS)
  #sessions = new RowCache<SessionRecord>(CACHED_ROWS)
  #apiKeys = new RowCache<ApiKeyRow>(CACHED_ROWS)
  #clientAddresses = new RowCache<ClientAddressRow>(CACHED_ROWS)

  constructor(file: string) {
    this.#file = file
  }

  tokenStatus(token: TokenReference, now: number) {
    const reader = this.#currentReader()
    const cached = this.#rows.get(token.tokenId)
    const isOfToken = cached?.userId === token.userId && cached.sessionId === token.sessionId
    const row = isOfToken ? cached.row : this.#readRow(reader, token)
    return afterLoading(toTokenStatus(row, now))
  }

  async findActiveSession(token: TokenReference, now: number) {
    const status = await this.tokenStatus(token, now)
    if (!status.isActive) return null
    const session = await this.findSession(token.userId, token.sessionId)
    return session && { session, userVersion: status.userVersion }
  }

  async readConfiguration() {
    const { configuration } = (this.#opened ??= this.#open())
    noteConfiguration(configuration.get(1)!)
    await configurationLoading()
  }

  async findSession(userId: string, sessionId: string) {
    const reader = this.#currentReader()
    const session = this.#sessions.get(sessionId) ?? this.#readSession(reader, sessionId)
    return session?.userId === userId ? session : null
  }

  async findApiKey(id: string) {
    const reader = this.#currentReader()
    const row = this.#apiKeys.get(id) ?? reader.apiKey.get(id)
    if (!row) return null
    this.#apiKeys.set(id, row)
    noteConfiguration(row.configuration)
    return afterLoading(row)
  }

  async findClientAddress({ countKey, kind, idHash }: ClientAddressKeys) {
    const reader = this.#currentReader()
    const key = `${countKey} ${idHash}`
    const row = this.#clientAddresses.get(key) ?? reader.clientAddress.get(countKey, kind, idHash)!
    this.#clientAddresses.set(key, row)
    noteConfiguration(row.configuration)
    return afterLoading(row)
  }

  close() {
    this.#opened?.connection.close()
  }

  #currentReader() {
    const reader = (this.#opened ??= this.#open())
    if (reader.watch.hasChanged()) {
      this.#rows.clear()
      this.#sessions.clear()
      this.#apiKeys.clear()
      this.#clientAddresses.clear()
    }
    return reader
  }

  // Opens on the first request, because the migrations have created the tables by then.
  #open(): Reader {
    const connection = new Sqlite(this.#file, { readonly: true })
    return {
      connection,
      watch: new CommitWatch(connection),
      tokenStatus: connection.prepare(TOKEN_STATUS),
      session: connection.prepare('SELECT * FROM sessions WHERE id = ?'),
      apiKey: connection.prepare(API_KEY),
      clientAddress: connection.prepare(CLIENT_ADDRESS),
      configuration: connection.prepare<number[], string>(CONFIGURATION).pluck(),
    }
  }

  #readRow(reader: Reader, { tokenId, sessionId, userId }: TokenReference) {
    const row = reader.tokenStatus.get(tokenId, sessionId, userId)!
    this.#rows.set(tokenId, { userId, sessionId, row })
    return row
  }

  #readSession(reader: Reader, sessionId: string) {
    const row = reader.session.get(sessionId)
    const session = row ? fromRow(row) : null
    if (session) this.#sessions.set(sessionId, session)
    return session
  }
}
