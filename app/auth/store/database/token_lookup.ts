import { noteConfiguration } from '#database/configuration_version'
import type {
  ActiveSession,
  SessionRecord,
  TokenReference,
  TokenStatus,
} from '#auth/store/contract'
import type { ApiKeyRow } from './api_key_row.ts'
import type { ClientAddressKeys, ClientAddressRow } from './client_address_row.ts'

// Look-ups of every authenticated request: they bypass Lucid for speed and read committed rows
// only.

export interface TokenLookup {
  tokenStatus(token: TokenReference, now: number): TokenStatus | Promise<TokenStatus>
  findActiveSession(token: TokenReference, now: number): Promise<ActiveSession | null>
  readConfiguration(): void | Promise<void>
  /** A session of this user, expired or not. */
  findSession(userId: string, sessionId: string): Promise<SessionRecord | null>
  /** A key of an enabled user, expired or not. */
  findApiKey(id: string): Promise<ApiKeyRow | null>
  findClientAddress(keys: ClientAddressKeys): Promise<ClientAddressRow>
  close(): void
}

export interface TokenStatusRow {
  configuration: string
  /** Null unless an enabled user has the session. */
  user_version: string | null
  last_activity_at: number
  expires_at: number
  is_revoked: number | boolean
}

/** Columns of `configuration_version` c, `sessions` s and `users` u. Drivers add `is_revoked`. */
export const TOKEN_STATUS_COLUMNS = `c.version AS configuration, u.version_id AS user_version,
  s.last_activity_at, s.expires_at`

export const CONFIGURATION = 'SELECT version FROM configuration_version WHERE id = ?'

/** Notes the version even if the token is refused: the refusal may depend on data in memory. */
export function toTokenStatus(row: TokenStatusRow, now: number): TokenStatus {
  noteConfiguration(row.configuration)
  if (row.user_version === null || row.is_revoked || row.expires_at <= now)
    return { isActive: false }
  return {
    isActive: true,
    userVersion: row.user_version,
    lastActivityAt: row.last_activity_at,
  }
}
