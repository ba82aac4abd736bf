import type { Batch } from './batches.ts'

export interface RowChanges {
  isEncrypted: boolean
  expireKeys: boolean
  /** False leaves out the audit log, and rows that only its key can prove. */
  keepsTrail: boolean
}

const OF_TRAIL = ['handles', 'audit_keys', 'audit_erasures', 'audit_events', 'audit_chain']

/** A second factor without its secret would lock its user out for ever. */
const NO_SECOND_FACTOR = {
  mfa_enabled: false,
  mfa_enabled_at: null,
  mfa_last_step: null,
  mfa_failures: 0,
  mfa_locked_until: null,
  mfa_abandoned_at: null,
  must_change_password: false,
}

/** A key may have leaked and been revoked since the backup: the next start makes others. */
const KEYS = ['api_keys', 'signing_keys']

const NO_SECRET = {
  secret_hash: null,
  former_secret_hash: null,
  former_secret_until: null,
  secret_digest: null,
}

/** Returns the part of a batch that is restored; null for none. */
export function changeRows(batch: Batch, changes: RowChanges): Batch | null {
  const { table, rows } = batch
  if (!changes.keepsTrail && OF_TRAIL.includes(table)) return null
  if (changes.expireKeys && KEYS.includes(table)) return null
  if (changes.expireKeys && table === 'oauth_clients') assign(rows, NO_SECRET)
  if (!changes.isEncrypted && table === 'users') assign(rows, NO_SECOND_FACTOR)
  return batch
}

function assign(rows: Batch['rows'], values: object) {
  for (const row of rows) Object.assign(row, values)
}
