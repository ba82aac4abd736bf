import { UnusableBackup } from '#backup/errors'
import { ENTRY_NAME, type AuditHead, type Manifest, type ManifestEntry } from './manifest.ts'

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

function isHead({ sequence, hash }: AuditHead) {
  return Number.isSafeInteger(sequence) && typeof hash === 'string'
}

function isEntry({ name, bytes, rows = 0, sha256 }: ManifestEntry) {
  const areCounts = [bytes, rows].every((count) => Number.isSafeInteger(count) && count >= 0)
  return areCounts && ENTRY_NAME.test(name) && /^[\da-f]{64}$/.test(sha256)
}

export function areTexts(given: unknown) {
  return Array.isArray(given) && given.every((each) => typeof each === 'string')
}
