import { KEPT_TABLES, TABLES } from '#backup/tables'
import { UnusableBackup } from '#backup/errors'

/* The first entry of an archive says what follows, so that a reader trusts no other length. */

export const MANIFEST = 'manifest.json'
export const KEYRINGS = 'keyrings.json'

/** This version cannot read an archive with another number. */
export const FORMAT = 1

export interface AuditHead {
  sequence: number
  hash: string
}

export interface ManifestEntry {
  name: string
  bytes: number
  /** Only for tables. */
  rows?: number
  /** In hexadecimal digits. */
  sha256: string
}

export interface Manifest {
  format: number
  product: 'gatehouse'
  version: string
  createdAt: string
  isEncrypted: boolean
  migrations: string[]
  /** Ids of the entries that open and verify the stored data, the first one first. */
  keyrings: { APP_KEY: string[]; MFA_ENCRYPTION_KEYS: string[] }
  /** Null before the first event was sealed. */
  auditHead: AuditHead | null
  entries: ManifestEntry[]
}

export function tableEntry(table: string) {
  return `tables/${table}.ndjson`
}

/** @returns null for an entry that is no table */
export function tableOf(entry: string) {
  return /^tables\/([a-z_]+)\.ndjson$/.exec(entry)?.[1] ?? null
}

/** A name of any other form could lead out of a folder. */
export const ENTRY_NAME =
  /^(keyrings\.json|tables\/[a-z_]{1,60}\.ndjson|texts\/[\w-]{1,40}\/\w[\w.-]{0,60}|logo\.(png|jpg|webp|svg))$/

/**
 * The order lets a restore fill each table after the tables that it refers to.
 * @throws UnusableBackup for a list of entries that no version of the product writes
 */
export function assertOrder({ entries }: Manifest) {
  const names = entries.map(({ name }) => name)
  const tables = names.map(tableOf).filter((table) => table !== null)
  const known = KEPT_TABLES.map(([table]) => table).filter((table) => tables.includes(table))
  const isOrdered = tables.filter((table) => table in TABLES).join() === known.join()
  const isOnce = new Set(names).size === names.length
  if (isOnce && isOrdered) return
  throw new UnusableBackup('The manifest of this backup names entries twice or out of order.')
}
