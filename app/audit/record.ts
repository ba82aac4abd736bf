/** An event as administrators, and the user whom it concerns, see it. */
export interface AuditRecord {
  id: string
  /** ISO 8601, UTC. */
  occurredAt: string
  action: string
  outcome: 'success' | 'failure'
  /** `user:<id>`, `key:<id>`, `cli:<os user>`, `system` or `anonymous`. */
  actor: string
  actorId: string | null
  targetId: string | null
  ip: string | null
  userAgent: string | null
  details: Record<string, unknown>
}

/** The record of a row of `audit_events`. */
export function toRecord(row: any): AuditRecord {
  return {
    id: row.id,
    occurredAt: new Date(Number(row.occurred_at)).toISOString(),
    action: row.action,
    outcome: row.outcome,
    actor: row.actor,
    actorId: row.actor_id,
    targetId: row.target_id,
    ip: row.ip,
    userAgent: row.user_agent,
    details: JSON.parse(row.details),
  }
}

/**
 * An event as the user whom it concerns may see it: with the addresses of sign-in attempts
 * by unknown callers, without the name, address and device of an administrator.
 */
export function asSeenBy(userId: string, event: AuditRecord): AuditRecord {
  const isOwn = event.actorId === userId || event.actor === 'anonymous'
  if (isOwn || event.actor === 'system') return event
  return { ...event, actor: 'administrator', actorId: null, ip: null, userAgent: null }
}
