import type { I18n } from '@adonisjs/i18n'
import User from '#models/user'
import type { AuditRecord } from '#audit/trail/audit_record'
import { deviceName } from '#auth/sessions/device'
import { deviceLabel } from '#i18n/format'
import { actorTitle, eventTitle } from './event_titles.ts'
import { findDelegates, type Delegate } from './event_delegates.ts'
import { type EventChange, changesOf } from './event_changes.ts'

interface UserLink {
  name: string
  path: string | null
}

export interface EventLine {
  id: string
  at: number
  title: string
  action: string
  isFailure: boolean
  /** Whether actor and target are the same user. */
  isOwn: boolean
  actor: UserLink
  /** The API key or application by which the actor acted. */
  via: string | null
  target: UserLink | null
  ip: string | null
  /** The address, or what replaces it. */
  from: string
  device: string | null
  /** The whole header that `device` is derived from. */
  userAgent: string | null
  changes: EventChange[]
}

export async function eventLines(i18n: I18n, events: AuditRecord[]): Promise<EventLine[]> {
  const ids = new Set(events.flatMap(({ actorId, targetId }) => [actorId, targetId]))
  ids.delete(null)
  const users = ids.size ? await User.query().whereIn('id', [...ids] as string[]) : []
  const names = new Map(users.map((user) => [user.id, user.username]))
  const delegates = await findDelegates(events)
  return events.map((event) => ({
    ...toLine(i18n, event, names),
    via: viaOf(i18n, delegates.get(event.actor)),
  }))
}

function viaOf(i18n: I18n, delegate?: Delegate) {
  return delegate ? i18n.t(`events.via.${delegate.kind}`, { name: delegate.name }) : null
}

/** The server and its commands have no address; an erasure removes the address of other events. */
function isHere({ actor }: AuditRecord) {
  return actor === 'system' || actor.startsWith('cli:')
}

function toLine(i18n: I18n, event: AuditRecord, names: Map<string, string>) {
  const { actor, actorId, targetId } = event
  const deleted = i18n.t('events.deleted')
  const isOwn = targetId !== null && targetId === actorId
  return {
    id: event.id,
    at: Date.parse(event.occurredAt),
    title: eventTitle(i18n, event.action, event.details),
    action: event.action,
    isFailure: event.outcome === 'failure',
    isOwn,
    actor: userLink(actorId, names, actorId ? deleted : actorTitle(i18n, actor)),
    target: isOwn ? null : targetOf(event, names, deleted),
    ip: event.ip,
    from: event.ip ?? i18n.t(isHere(event) ? 'events.here' : 'events.not_kept'),
    device: event.userAgent ? deviceLabel(i18n, deviceName(event.userAgent)) : null,
    userAgent: event.userAgent,
    changes: changesOf(i18n, event),
  }
}

function userLink(id: string | null, names: Map<string, string>, otherwise: string): UserLink {
  const name = id ? names.get(id) : undefined
  return name ? { name, path: `/admin/users/${id}` } : { name: otherwise, path: null }
}

function targetOf({ targetId, details }: AuditRecord, names: Map<string, string>, deleted: string) {
  const email = typeof details.email === 'string' ? details.email : null
  if (targetId) return userLink(targetId, names, email ?? deleted)
  return email ? { name: email, path: null } : null
}
