import type { PublicAction } from '#events/event_types'
import type { EventRow } from '#audit/event_row'

/**
 * The public type of each action. Receivers rely on the names on the right, which never change. An
 * action that receivers do not learn is a `privateEvent` in `app/events`.
 */
const TYPES = {
  'account.registered': 'user.created',
  'account.created': 'user.created',
  'account.invited': 'user.created',
  'account.updated': 'user.updated',
  'role.changed': 'user.updated',
  'email.changed': 'user.updated',
  'email.change_undone': 'user.updated',
  'email.verified': 'user.updated',
  'avatar.changed': 'user.updated',
  'avatar.removed': 'user.updated',
  'account.deleted': 'user.deleted',
  'account.locked': 'user.locked',
  'account.unlocked': 'user.unlocked',
  'account.disabled': 'user.disabled',
  'account.enabled': 'user.enabled',
  'login.succeeded': 'session.started',
  'session.ended': 'session.ended',
  'sessions.ended': 'session.ended',
  'session.denied': 'session.ended',
  'refresh.reused': 'session.ended',
  'code.reused': 'session.ended',
  'login.failed': 'login.failed',
  'password.changed': 'password.changed',
  'password.reset': 'password.changed',
  'mfa.enabled': 'mfa.enabled',
  'mfa.disabled': 'mfa.disabled',
  'mfa.reset': 'mfa.reset',
  'mfa.suspended': 'mfa.suspended',
  'mfa.backup_codes_replaced': 'mfa.backup_codes_replaced',
  'passkey.added': 'passkey.added',
  'passkey.renamed': 'passkey.renamed',
  'passkey.removed': 'passkey.removed',
  'identity.linked': 'identity.linked',
  'identity.unlinked': 'identity.unlinked',
  'group.created': 'group.created',
  'group.updated': 'group.updated',
  'group.deleted': 'group.deleted',
  'group.member_added': 'group.member_added',
  'group.member_removed': 'group.member_removed',
  'application.authorized': 'application.authorized',
  'application.consented': 'application.consented',
  'application.refused': 'application.refused',
  'application.withdrawn': 'application.withdrawn',
  'client.created': 'client.created',
  'client.updated': 'client.updated',
  'client.secret_rotated': 'client.secret_rotated',
  'client.deleted': 'client.deleted',
  'webhook.tested': 'webhook.test',
} as const satisfies Record<PublicAction, `${string}.${string}`>

/** Sent only to the endpoint that is tested, whatever its filters are. */
export const TEST_TYPE = 'webhook.test'

export type PublicType = (typeof TYPES)[PublicAction] | typeof TEST_TYPE

export const PUBLIC_TYPES: PublicType[] = [
  ...new Set([...Object.values(TYPES), TEST_TYPE] as const),
]

export const PUBLIC_ACTIONS = Object.keys(TYPES) as PublicAction[]

type Told = Pick<EventRow, 'action' | 'details'>

/** Returns null for an event that no receiver learns of. */
export function publicTypeOf({ action, details }: Told): PublicType | null {
  if (!Object.hasOwn(TYPES, action)) return null
  return isWithoutEffect(action, JSON.parse(details)) ? null : TYPES[action as PublicAction]
}

/** True for an invitation that is mailed again, and a token that was used twice within seconds. */
function isWithoutEffect(action: string, { role, isEnded }: Record<string, unknown>) {
  return (action === 'account.invited' && role === undefined) || isEnded === false
}
