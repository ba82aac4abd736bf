/** Who acts, and from where: the first column of the audit trail. */
export interface Actor {
  /** `user:<id>`, `key:<id>`, `client:<client id>`, `cli:<os user>`, `system` or `anonymous`. */
  name: string
  /** The acting user, where there is one. */
  id: string | null
  ip: string | null
  userAgent: string | null
  /** Whether the acting user has just proved who they are, as changes of administrators need. */
  hasRecentProof?: boolean
  /** The session of the request: once it has ended, the request changes nothing more. */
  sessionId?: string
  /** The API key by which the user acts, which may do less than they. */
  keyId?: string
  /** The application whose token acts for the user, and which may do less than they. */
  clientId?: string
}

export const SYSTEM: Actor = { name: 'system', id: null, ip: null, userAgent: null }

/** A user acting from a device. */
export function userActor(
  id: string,
  from: { ip: string | null; userAgent: string | null }
): Actor {
  return { name: `user:${id}`, id, ip: from.ip, userAgent: from.userAgent }
}

/** A user acting by an API key: the trail names the key. */
export function keyActor(keyId: string, user: Actor): Actor {
  return { ...user, name: `key:${keyId}`, keyId }
}

/** The length of the column `audit_events.actor`. */
const NAME_LENGTH = 128

/** A user for whom an application acts: the trail names the application. */
export function clientActor(clientId: string, user: Actor): Actor {
  return { ...user, name: `client:${clientId}`.slice(0, NAME_LENGTH), clientId }
}

/** A caller who is not authenticated. */
export function anonymousActor(from: { ip: string; userAgent: string | null }): Actor {
  return { name: 'anonymous', id: null, ip: from.ip, userAgent: from.userAgent }
}
