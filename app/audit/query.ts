import { replicaOrPrimary } from '#database/replica'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'

/** An event as administrators, and the user that it concerns, see it. */
export interface AuditRecord {
  id: string
  occurredAt: string
  action: string
  outcome: 'success' | 'failure'
  /** `user:<id>`, `cli:<os user>`, `system` or `anonymous`. */
  actor: string
  actorId: string | null
  targetId: string | null
  ip: string | null
  userAgent: string | null
  details: Record<string, unknown>
}

/**
 * An event as the user that it concerns may see it: what happened to it, and from where
 * somebody tried to get in, but not which administrator sat where.
 */
export function asSeenBy(userId: string, event: AuditRecord): AuditRecord {
  const isOwn = event.actorId === userId || event.actor === 'anonymous'
  if (isOwn || event.actor === 'system') return event
  return { ...event, actor: 'administrator', actorId: null, ip: null, userAgent: null }
}

export interface AuditFilter {
  /** The name of an actor, or the id of a user that acted. */
  actor?: string
  target?: string
  action?: string
  outcome?: 'success' | 'failure'
  ip?: string
  /** Milliseconds since the epoch; `from` is in, `to` is out. */
  from?: number
  to?: number
  /** A user that acted or was acted upon. */
  about?: string
}

interface Page {
  page: number
  limit: number
}

/** One page of the events that pass the filter, the newest first, and how many pass it. */
export async function listAuditEvents(filter: AuditFilter, { page, limit }: Page) {
  const [rows, total] = await Promise.all([
    matching(filter)
      .orderBy('id', 'desc')
      .offset((page - 1) * limit)
      .limit(limit)
      .select('*'),
    countAuditEvents(filter),
  ])
  return { events: rows.map(toRecord), total }
}

/** Every event is a link of a chain: without a filter the heads of the chains tell how many there are. */
async function countAuditEvents(filter: AuditFilter) {
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const query = isFiltered
    ? matching(filter).count('* as total')
    : replicaOrPrimary().from('audit_chains').sum('last_sequence as total')
  const [row] = await query
  return Number(row.total ?? 0)
}

/** The events that pass a filter. */
export function matching(
  filter: AuditFilter,
  client = replicaOrPrimary()
): DatabaseQueryBuilderContract<any> {
  const { actor, target, about, action, outcome, ip, from, to } = filter
  const query = client.from('audit_events')
  if (actor) query.where('actor', actor.includes(':') || !isId(actor) ? actor : `user:${actor}`)
  if (target) query.where('target_id', target)
  if (about) query.where((any) => any.where('target_id', about).orWhere('actor_id', about))
  if (action) query.where('action', action)
  if (outcome) query.where('outcome', outcome)
  if (ip) query.where('ip', ip)
  if (from !== undefined) query.where('occurred_at', '>=', from)
  if (to !== undefined) query.where('occurred_at', '<', to)
  return query
}

function isId(text: string) {
  return /^[\da-f-]{36}$/i.test(text)
}

/** An event as it is told, of its row. */
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
