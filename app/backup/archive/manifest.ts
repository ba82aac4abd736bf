import { KEPT_TABLES, TABLES } from '#backup/tables'
import { UnusableBackup } from '#backup/errors'

/* The first entry of an archive says what follows, so that a reader trusts no other length. */

export const MANIFEST = 'manifest.json'
export const KEYRINGS = 'keyrings.json'

/** Another number stands for an archive that this version cannot read. */
export const FORMAT = 1

export interface AuditHead {
  sequence: number
  hash: string
}

export interface ManifestEntry {
  name: string
  bytes: number
  /** Of tables alone. */
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
  /** Ids of the entries that open and verify what is stored, the first one first. */
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

/** Both are printed and recorded: other texts could move the cursor of a terminal. */
const VERSION = /^[\w.+-]{1,64}$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/

/** @throws UnusableBackup */
export function parseManifest(text: string): Manifest {
  try {
    const manifest = JSON.parse(text)
    if (isManifest(manifest)) return manifest
  } catch {}
  throw new UnusableBackup('The file is no backup of Gatehouse: its manifest cannot be read.')
}

function isManifest(given: any): given is Manifest {
  return (
    given.product === 'gatehouse' &&
    Number.isSafeInteger(given.format) &&
    typeof given.version === 'string' &&
    VERSION.test(given.version) &&
    typeof given.isEncrypted === 'boolean' &&
    TIME.test(given.createdAt) &&
    !Number.isNaN(Date.parse(given.createdAt)) &&
    areTexts(given.migrations) &&
    areTexts(given.keyrings.APP_KEY) &&
    areTexts(given.keyrings.MFA_ENCRYPTION_KEYS) &&
    (given.auditHead === null || isHead(given.auditHead)) &&
    given.entries.every(isEntry)
  )
}

export function areTexts(given: unknown) {
  return Array.isArray(given) && given.every((each) => typeof each === 'string')
}

function isHead({ sequence, hash }: AuditHead) {
  return Number.isSafeInteger(sequence) && typeof hash === 'string'
}

function isEntry({ name, bytes, rows = 0, sha256 }: ManifestEntry) {
  const areCounts = [bytes, rows].every((count) => Number.isSafeInteger(count) && count >= 0)
  return areCounts && ENTRY_NAME.test(name) && /^[\da-f]{64}$/.test(sha256)
}

/**
 * The order lets a restore fill each table after those that it refers to.
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
