import { v7 as uuidv7 } from 'uuid'
import { eventMac } from './chain.ts'
import { hidePersons } from './personal_data.ts'
import { sealSoon } from './sealer.ts'
import type { Transaction } from '#database/transaction'
import type { Actor } from './actor.ts'
import type { AuditAction } from './actions.ts'

export interface AuditEntry {
  /** Of a caller who refers to the event; UUID v7. */
  id?: string
  action: AuditAction
  actor: Actor
  /** The user that it happened to. */
  targetId: string | null
  outcome?: 'success' | 'failure'
  /** What changed; never a password, token, code or secret. See `personal_data.ts`. */
  details?: Record<string, unknown>
}

/**
 * Appends an event to the trail in the transaction of the change that it records, so that
 * neither exists without the other. The sealer gives it its place in the chain later.
 */
export async function recordAudit(entry: AuditEntry, trx: Transaction) {
  const { action, actor, targetId, outcome = 'success' } = entry
  const id = entry.id ?? uuidv7()
  const occurredAt = Date.now()
  const { lookups, ...hidden } = await hidePersons({ ...entry, id, occurredAt }, trx)
  const event = {
    id,
    occurred_at: occurredAt,
    action,
    outcome,
    actor: actor.name,
    actor_id: actor.id,
    target_id: targetId,
    ...hidden,
  }
  await insertEvent({ ...event, mac: eventMac(event), ...lookups }, trx)
  trx.after('commit', sealSoon)
}

/**
 * The lookup hash of an address stays empty if its key was deleted meanwhile: this process
 * may have the key of a user at hand whom another one has deleted.
 */
async function insertEvent(row: Record<string, string | number | null>, trx: Transaction) {
  const { ip_hash: ipHash, ...others } = row
  const hasKey = 'SELECT 1 FROM audit_keys WHERE id = ?'
  const lookup = `(SELECT CAST(? AS varchar) WHERE EXISTS (${hasKey}))`
  const column = ipHash ? trx.raw(lookup, [ipHash, row.origin_key!]) : null
  await trx.table('audit_events').insert({ ...others, ip_hash: column })
}
