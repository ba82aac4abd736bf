export interface KeyRecord {
  id: string
  name: string
  scopes: string[]
  createdAt: string
  expiresAt: string
  lastUsedAt: string | null
  lastUsedIp: string | null
}

/** Leaves out the hash, and times that only one statement reads. */
export interface KeyRow {
  id: string
  name: string
  scopes: string
  created_by: string | null
  created_at: number
  expires_at: number
  last_used_at: number | null
  last_used_ip: string | null
}

export function toRecord(row: KeyRow): KeyRecord {
  const iso = (at: number | null) => (at === null ? null : new Date(Number(at)).toISOString())
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes.split(' '),
    createdAt: iso(row.created_at)!,
    expiresAt: iso(row.expires_at)!,
    lastUsedAt: iso(row.last_used_at),
    lastUsedIp: row.last_used_ip,
  }
}
