import type { AuditRecord } from '#audit/trail/audit_record'

/* The members of `data` beside `sequence` and `actor`. A member without a value is left out. */

/** An event of the trail, with the current addresses and group names from the database. */
export interface Composed {
  event: AuditRecord
  emails: Map<string, string>
  groupNames: Map<string, string>
}

interface SessionScope {
  userId?: string
  clientId?: string
  /** ISO 8601. */
  before: string
}

export interface Members {
  user: { id: string; email?: string }
  client: { clientId: string }
  group: { id: string; name: string | null }
  session: { id: string; method?: string; mfa?: boolean }
  sessionIds: string[]
  scope: SessionScope
  changed: string[]
  provider: string
  passkeyId: string
  reason: string
  count: number
  lockKind: string
  until: string
  webhookId: string
}

export type Member = keyof Members

type Composers = {
  [Name in Member]: (composed: Composed, details: any) => Members[Name] | null | undefined
}

export const COMPOSE: Composers = {
  user: ({ event: { targetId: id }, emails }) => {
    const email = id && emails.get(id)
    return id ? { id, ...(email && { email }) } : null
  },
  client: (_, { clientId }) => clientId && { clientId },
  group: ({ groupNames }, { groupId: id, group }) =>
    id && { id, name: groupNames.get(id) ?? group ?? null },
  session: (_, { sessionId: id, method, mfa }) => id && { id, method, mfa },
  sessionIds: (_, { sessionId, sessionIds = [] }) => {
    const ids = [...new Set([...(sessionId ? [sessionId] : []), ...sessionIds])]
    return ids.length > 0 ? ids : null
  },
  scope: ({ event: { targetId } }, { clientId, endedBefore: before }) =>
    before && { ...(targetId && { userId: targetId }), ...(clientId && { clientId }), before },
  changed: ({ event: { action } }, details) => {
    const named = FIELD_OF[action]
    const fields = named ? [named] : Object.keys(details).filter((key) => isChange(details[key]))
    return fields.length > 0 ? fields : null
  },
  provider: (_, { provider }) => provider,
  passkeyId: (_, { passkeyId }) => passkeyId,
  reason: (_, { reason }) => reason,
  count: (_, { count }) => count,
  lockKind: (_, { lockKind }) => lockKind,
  until: (_, { until }) => until,
  webhookId: (_, { webhookId }) => webhookId,
}

/** The changed field of each action that records no value before and after. */
const FIELD_OF: Record<string, string> = {
  'avatar.changed': 'avatar',
  'avatar.removed': 'avatar',
  'email.verified': 'emailVerified',
}

/** For metadata, the trail records only that it changed. */
function isChange(value: unknown) {
  return value === 'changed' || (typeof value === 'object' && value !== null && 'after' in value)
}
