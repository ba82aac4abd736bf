export interface Actor {
  /** `user:<id>`, `key:<id>`, `client:<client id>`, `cli:<os user>`, `system` or `anonymous`. */
  name: string
  id: string | null
  ip: string | null
  userAgent: string | null
  /** Changes of administrators need a recent authentication. */
  hasRecentAuthentication?: boolean
  /** Once this session has ended, the request changes nothing more. */
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
  return { ...user, name: `client:${clientId}`.slice(0, NAME_LENGTH), clientId }
}

export function anonymousActor(from: { ip: string; userAgent: string | null }): Actor {
  return { name: 'anonymous', id: null, ip: from.ip, userAgent: from.userAgent }
}
