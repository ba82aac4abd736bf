import type { AuditRecord } from '#audit/trail/audit_record'

export interface PublicActor {
  kind: 'user' | 'key' | 'client' | 'command' | 'system'
  id: string | null
  /** The user for whom an API key acts. */
  userId?: string
  clientId?: string
}

/** Someone who is not signed in is a user without an id. */
export function publicActor({ actor, actorId }: AuditRecord): PublicActor {
  const [prefix, ...rest] = actor.split(':')
  const name = rest.join(':')
  if (prefix === 'key') return { kind: 'key', id: name, ...(actorId && { userId: actorId }) }
  if (prefix === 'client') return { kind: 'client', id: actorId, clientId: name }
  if (prefix === 'cli') return { kind: 'command', id: name }
  if (prefix === 'system') return { kind: 'system', id: null }
  return { kind: 'user', id: actorId }
}
