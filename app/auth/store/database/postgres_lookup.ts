import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { TokenReference } from '#auth/store/contract'
import {
  afterLoading,
  configurationLoading,
  noteConfiguration,
} from '#database/configuration_version'
import { oneAtATime } from '#database/one_at_a_time'
import { selectRows } from '#database/select_rows'
import { alignToKeys, batched, type Positioned } from './query_batch.ts'
import { API_KEY_COLUMNS, type ApiKeyRow } from './api_key_row.ts'
import {
  CLIENT_ADDRESS_COLUMNS,
  type ClientAddressKeys,
  type ClientAddressRow,
} from './client_address_row.ts'
import { fromRow } from './session_row.ts'
import {
  CONFIGURATION,
  TOKEN_STATUS_COLUMNS,
  toTokenStatus,
  type TokenLookup,
  type TokenStatusRow,
} from './token_lookup.ts'

const TOKEN_STATUSES = `
  SELECT q.position, ${TOKEN_STATUS_COLUMNS}, r.token_id IS NOT NULL AS is_revoked
  FROM unnest(?::uuid[], ?::uuid[], ?::text[])
    WITH ORDINALITY AS q(session_id, user_id, token_id, position)
  CROSS JOIN configuration_version c
  LEFT JOIN sessions s ON s.id = q.session_id AND s.user_id = q.user_id
  LEFT JOIN users u ON u.id = s.user_id AND u.disabled_at IS NULL
  LEFT JOIN revoked_tokens r ON r.token_id = q.token_id`

const ACTIVE_SESSIONS = TOKEN_STATUSES.replace('SELECT q.position,', 'SELECT q.position, s.*,')

const SESSIONS = `
  SELECT q.position, s.*
  FROM unnest(?::uuid[], ?::uuid[]) WITH ORDINALITY AS q(session_id, user_id, position)
  JOIN sessions s ON s.id = q.session_id AND s.user_id = q.user_id`

const API_KEYS = `
  SELECT q.position, ${API_KEY_COLUMNS}
  FROM unnest(?::text[]) WITH ORDINALITY AS q(id, position)
  JOIN api_keys k ON k.id = q.id
  JOIN users u ON u.id = k.user_id AND u.disabled_at IS NULL`

const CLIENT_ADDRESSES = `
  SELECT q.position, ${CLIENT_ADDRESS_COLUMNS}
  FROM unnest(?::text[], ?::text[], ?::text[])
    WITH ORDINALITY AS q(count_key, kind, id_hash, position)
  CROSS JOIN configuration_version c
  LEFT JOIN rate_limits l ON l.key = q.count_key
  LEFT JOIN oauth_records a ON a.kind = q.kind AND a.id_hash = q.id_hash`

interface SessionKey {
  userId: string
  sessionId: string
}

export class PostgresLookup implements TokenLookup {
  #client: () => QueryClientContract
  #tokenStatuses = batched((tokens: readonly TokenReference[]) =>
    this.#readTokenStatuses(TOKEN_STATUSES, tokens)
  )
  #activeSessions = batched((tokens: readonly TokenReference[]) =>
    this.#readTokenStatuses(ACTIVE_SESSIONS, tokens)
  )
  #sessions = batched((keys: readonly SessionKey[]) => this.#readSessions(keys))
  #configuration = oneAtATime(() => this.#readVersion())
  #apiKeys = batched((ids: readonly string[]) => this.#readApiKeys(ids))
  #clientAddresses = batched((keys: readonly ClientAddressKeys[]) => this.#readAddresses(keys))

  constructor(client: () => QueryClientContract) {
    this.#client = client
  }

  async tokenStatus(token: TokenReference, now: number) {
    const row = await this.#tokenStatuses.load(token)
    return afterLoading(toTokenStatus(row!, now))
  }

  async findActiveSession(token: TokenReference, now: number) {
    const row = await this.#activeSessions.load(token)
    const status = toTokenStatus(row!, now)
    const found = status.isActive ? { session: fromRow(row!), ...status } : null
    return afterLoading(found)
  }

  async readConfiguration() {
    noteConfiguration(await this.#configuration())
    await configurationLoading()
  }

  async findSession(userId: string, sessionId: string) {
    const row = await this.#sessions.load({ userId, sessionId })
    return row ? fromRow(row) : null
  }

  async findApiKey(id: string) {
    const row = await this.#apiKeys.load(id)
    if (row) noteConfiguration(row.configuration)
    return afterLoading(row ?? null)
  }

  async findClientAddress(keys: ClientAddressKeys) {
    const row = await this.#clientAddresses.load(keys)
    noteConfiguration(row!.configuration)
    return afterLoading(row!)
  }

  close() {}

  async #readTokenStatuses(sql: string, tokens: readonly TokenReference[]) {
    const bindings = [...idsOf(tokens), tokens.map((token) => token.tokenId)]
    const rows = await selectRows<TokenStatusRow & Positioned>(this.#client(), sql, bindings)
    return alignToKeys(rows, tokens.length)
  }

  async #readVersion() {
    const [row] = await selectRows<{ version: string }>(this.#client(), CONFIGURATION, [1])
    return row.version
  }

  async #readApiKeys(ids: readonly string[]) {
    const rows = await selectRows<ApiKeyRow & Positioned>(this.#client(), API_KEYS, [[...ids]])
    return alignToKeys(rows, ids.length)
  }

  async #readAddresses(keys: readonly ClientAddressKeys[]) {
    const bindings = (['countKey', 'kind', 'idHash'] as const).map((name) =>
      keys.map((each) => each[name])
    )
    const rows = await selectRows<ClientAddressRow & Positioned>(
      this.#client(),
      CLIENT_ADDRESSES,
      bindings
    )
    return alignToKeys(rows, keys.length)
  }

  async #readSessions(keys: readonly SessionKey[]) {
    const rows = await selectRows<Positioned>(this.#client(), SESSIONS, idsOf(keys))
    return alignToKeys(rows, keys.length)
  }
}

function idsOf(keys: readonly SessionKey[]) {
  return [keys.map((key) => key.sessionId), keys.map((key) => key.userId)]
}
