import { createHash } from 'node:crypto'

export interface Actor {
  /** `user:<id>`, `key:<id>`, `client:<client id>`, `cli:<os user>`, `system` or `anonymous`. */
  name: string
  id: string | null
  ip: string | null
  userAgent: string | null
  /** Changes of administrators need a recent authentication. */
  hasRecentAuthentication?: boolean
  /** After this session has ended, the request can change nothing more. */
  sessionId?: string
  keyId?: string
  clientId?: string
}

export const SYSTEM: Actor = { name: 'system', id: null, ip: null, userAgent: null }

export function userActor(
  id: string,
  from: { ip: string | null; userAgent: string | null }
): Actor {
  return { name: `user:${id}`, id, ip: from.ip, userAgent: from.userAgent }
}

export function keyActor(keyId: string, user: Actor): Actor {
  return { ...user, name: `key:${keyId}`, keyId }
}

const NAME_LENGTH = 128

export function clientActor(clientId: string, user: Actor): Actor {
  return { ...user, name: clientActorName(clientId), clientId }
}

/** The id of a metadata document is longer: a hash at its end keeps two clients of one host apart. */
function clientActorName(clientId: string) {
  const name = `client:${clientId}`
  if (name.length <= NAME_LENGTH) return name
  const hash = createHash('sha256').update(clientId).digest('base64url')
  return `${name.slice(0, NAME_LENGTH - hash.length - 1)}~${hash}`
}

export function anonymousActor(from: { ip: string; userAgent: string | null }): Actor {
  return { name: 'anonymous', id: null, ip: from.ip, userAgent: from.userAgent }
}
