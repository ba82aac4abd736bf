import db from '@adonisjs/lucid/services/db'
import { revealPersonalData } from '#audit/privacy/reveal_personal_data'
import { findKeys } from '#audit/privacy/personal_keys'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { EventRow } from '#audit/event_row'
import type { StoredKey } from '#audit/privacy/personal_cipher'

export interface AuditRecord {
  id: string
  /** ISO 8601, UTC. */
  occurredAt: string
  action: string
  outcome: 'success' | 'failure'
  actor: string
  actorId: string | null
  targetId: string | null
  ip: string | null
  userAgent: string | null
  details: Record<string, unknown>
}

export async function toRecords(
  rows: EventRow[],
  client: QueryClientContract = db.connection()
): Promise<AuditRecord[]> {
  const ids = new Set(rows.flatMap((row) => [row.origin_key, row.personal_key]))
  ids.delete(null)
  const keys = await findKeys([...ids] as string[], client)
  return rows.map((row) => toRecord(row, keys))
}

function toRecord(row: EventRow, keys: Map<string, StoredKey>): AuditRecord {
  const { ip, userAgent, personal } = revealPersonalData(row, keys)
  return {
    id: row.id,
    occurredAt: new Date(Number(row.occurred_at)).toISOString(),
    action: row.action,
    outcome: row.outcome,
    actor: row.actor,
    actorId: row.actor_id,
    targetId: row.target_id,
    ip,
    userAgent,
    /** A field that is in both is complete in `personal`. */
    details: { ...personal, ...JSON.parse(row.details), ...personal },
  }
}

/**
 * Users see addresses of unknown callers, but no name, address or device of an administrator, nor
 * why an account was disabled: that is written for other administrators.
 */
export function redactFor(userId: string, event: AuditRecord): AuditRecord {
  const isOwn = event.actorId === userId || event.actor === 'anonymous'
  if (isOwn || event.actor === 'system') return event
  const { reason, ...details } = event.details
  const shown = event.action === 'account.disabled' ? details : event.details
  const unnamed = { actor: 'administrator', actorId: null, ip: null, userAgent: null }
  return { ...event, ...unnamed, details: shown }
}
