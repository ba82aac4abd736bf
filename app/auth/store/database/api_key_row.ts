export interface ApiKeyRow {
  id: string
  key_hash: string
  scopes: string
  expires_at: number
  last_used_at: number | null
  user_id: string
  user_version: string
  email: string
  role: string
  kind: string
  must_change_password: number | boolean
  email_verified_at: number | null
  configuration: string
}

/** Columns of `api_keys` as k and `users` as u. */
export const API_KEY_COLUMNS = `k.id, k.key_hash, k.scopes, k.expires_at, k.last_used_at, k.user_id,
  u.version_id AS user_version, u.email, u.role, u.kind, u.must_change_password, u.email_verified_at,
  (SELECT version FROM configuration_version WHERE id = 1) AS configuration`
