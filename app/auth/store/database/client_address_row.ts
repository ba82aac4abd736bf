/** Names the rows that tell of the secrets which an address has sent for a client. */
export interface ClientAddressKeys {
  countKey: string
  kind: string
  idHash: string
}

/** Postgres gives large numbers as text. Times are milliseconds since the epoch. */
export interface ClientAddressRow {
  configuration: string
  /** Wrong secrets; null without a count. */
  points: number | string | null
  /** The end of the count; null for never. */
  expire: number | string | null
  payload: string | null
  expires_at: number | string | null
}

/** Of `configuration_version` as c, `rate_limits` as l and `oauth_records` as a. */
export const CLIENT_ADDRESS_COLUMNS = `c.version AS configuration, l.points, l.expire, a.payload,
  a.expires_at`
