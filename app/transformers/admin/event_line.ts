import User from '#models/user'
import type { AuditRecord } from '#audit/record'
import { deviceName } from '#auth/sessions/device'

export interface EventChange {
  field: string
  before?: string
  after: string
}

/** An audit event as a line of a list. */
export interface EventLine {
  id: string
  at: number
  title: string
  action: string
  isFailure: boolean
  /** Whether actor and target are the same user. */
  isOwn: boolean
  actor: { name: string; path: string | null }
  target: { name: string; path: string | null } | null
  ip: string | null
  device: string | null
  /** The whole header that `device` is derived from. */
  userAgent: string | null
  changes: EventChange[]
}

/** “Login succeeded” of `login.succeeded`. */
export function actionTitle(action: string) {
  const words = action.replace(/[._]/g, ' ').replace(/^mfa\b/, 'MFA')
  return words[0].toUpperCase() + words.slice(1)
}

/** “Session id” of `sessionId`. */
function fieldTitle(field: string) {
  const words = field.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)
  return words[0].toUpperCase() + words.slice(1)
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

function display(value: unknown): string {
  if (value === null || value === '') return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string' && TIMESTAMP.test(value))
    return `${value.slice(0, 16).replace('T', ' ')} UTC`
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Details that the line shows elsewhere, or that mean nothing to an administrator. */
const HIDDEN_DETAILS = new Set(['sessionId', 'deviceName', 'count', 'firstEvent'])

function changesOf(details: Record<string, unknown>): EventChange[] {
  const visible = Object.entries(details).filter(([field]) => !HIDDEN_DETAILS.has(field))
  return visible.map(([field, value]) => {
    const isChange = value !== null && typeof value === 'object' && 'after' in value
    if (!isChange) return { field: fieldTitle(field), after: display(value) }
    const { before, after } = value as { before: unknown; after: unknown }
    return { field: fieldTitle(field), before: display(before), after: display(after) }
  })
}

/** Lines with the names of their users, which are looked up by one query. */
export async function eventLines(events: AuditRecord[]): Promise<EventLine[]> {
  const ids = new Set(events.flatMap(({ actorId, targetId }) => [actorId, targetId]))
  ids.delete(null)
  const users = ids.size ? await User.query().whereIn('id', [...ids] as string[]) : []
  const names = new Map(users.map((user) => [user.id, user.username]))
  return events.map((event) => toLine(event, names))
}

function toLine(event: AuditRecord, names: Map<string, string>): EventLine {
  const link = (id: string | null, otherwise: string) => {
    const name = id ? names.get(id) : undefined
    return name ? { name, path: `/admin/users/${id}` } : { name: otherwise, path: null }
  }
  const { email, count } = event.details
  const isOther = event.targetId !== event.actorId
  return {
    id: event.id,
    at: Date.parse(event.occurredAt),
    title: actionTitle(event.action) + (count ? `, ${count} times more` : ''),
    action: event.action,
    isFailure: event.outcome === 'failure',
    isOwn: event.targetId !== null && !isOther,
    actor: link(event.actorId, event.actorId ? 'Deleted account' : event.actor),
    target:
      event.targetId && isOther ? link(event.targetId, String(email ?? 'Deleted account')) : null,
    ip: event.ip,
    device: event.userAgent ? deviceName(event.userAgent) : null,
    userAgent: event.userAgent,
    changes: changesOf(event.details),
  }
}
