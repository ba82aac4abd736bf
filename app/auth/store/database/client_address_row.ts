/** Names the rows about the secrets that an address has sent for a client. */
export interface ClientAddressKeys {
  countKey: string
  kind: string
  idHash: string
}

/** Postgres returns large numbers as text. Times are milliseconds since the epoch. */
export interface ClientAddressRow {
  configuration: string
  /** The number of wrong secrets; null if there is no count. */
  points: number | string | null
  /** The end of the count; null for never. */
  expire: number | string | null
  payload: string | null
  expires_at: number | string | null
}

/** Columns of `configuration_version` as c, `rate_limits` as l and `oauth_records` as a. */
export const CLIENT_ADDRESS_COLUMNS = `c.version AS configuration, l.points, l.expire, a.payload,
  a.expires_at`
