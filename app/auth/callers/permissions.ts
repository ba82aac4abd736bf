import { E_INSUFFICIENT_SCOPE, E_RECENT_LOGIN_REQUIRED, E_UNAUTHORIZED } from '#auth/errors'
import { callerKindOf, type CallerKind } from './caller_kind.ts'
import type { Actor } from '#audit/actor'

// No scope opens these changes: a leaked key or an application must not take an account over. A
// session may be stolen (OWASP ASVS 7.5.3), so the user must authenticate again.
// `app/auth/api_keys/route_scopes.ts` lists what a scope opens.

type Permission = 'allowed' | 'recent' | 'never'

const OPERATORS = { operator: 'allowed', system: 'allowed', anonymous: 'never' } as const
const USERS = { ...OPERATORS, user: 'recent', client: 'never', api_key: 'never' } as const
const USERS_AT_ANY_TIME = { ...USERS, user: 'allowed' } as const
const KEYS = { ...USERS, user: 'allowed', api_key: 'allowed' } as const
const DELEGATES = { ...USERS, client: 'allowed', api_key: 'allowed' } as const

/** Whether a user's sign-in must be recent. `app/policies` says what only administrators may. */
const PERMISSIONS = {
  'own_account': USERS,
  /** Makes an administrator, removes their access, or gives their credentials to another user. */
  'administrator': USERS,
  'user.role': USERS,
  'user.first_role': USERS_AT_ANY_TIME,
  /** A mailed link sets a password, so a new address hands the account over. */
  'user.email': USERS,
  /** A verified address lets a provider sign the user in. */
  'user.email_verified': USERS,
  /** Applications identify accounts by the handle: a new one may open another user's account. */
  'user.handle': USERS,
  /** Applications decide by this metadata what the user may do there. */
  'user.app_metadata': USERS,
  /** A service account acts without a sign-in and outlives its creator. */
  'user.kind': USERS,
  /** Commands and configuration files know a service account only by its name. */
  'user.service_username': USERS,
  /** A leaked key that renames administrators could hide one behind the name of another. */
  'user.administrator_profile': USERS_AT_ANY_TIME,
  'user.password': USERS,
  'user.mfa_reset': USERS,
  /** Another user loses a passkey or identity, or gets a link to set a password. */
  'user.sign_in_methods': USERS_AT_ANY_TIME,
  'api_key.create': USERS,
  /** A revocation only removes access, and is urgent after a leak. */
  'api_key.revoke': USERS_AT_ANY_TIME,
  /** The scope for these changes is only for API keys. */
  'group.settings': KEYS,
  'group.members': KEYS,
  /** A leaked key must not give its owner, or an administrator, access to applications. */
  'group.own_members': USERS_AT_ANY_TIME,
  /** Changes a group that the access rules or the claims of an application name. */
  'group.access': { ...KEYS, user: 'recent' },
  'client.settings': DELEGATES,
  /** The client's secret gives scopes of the API, or the rights of a service account. */
  'client.api_access': USERS,
  /** Users are not asked for consent, so the client's settings decide who gets the tokens. */
  'client.first_party': USERS,
  /** What users relied on when they allowed the client: who receives their tokens, and how. */
  'client.in_use': USERS,
  'webhook.settings': KEYS,
  /** Events about every user are sent to this address. */
  'webhook.address': { ...KEYS, user: 'recent' },
  /** Anyone with the secret can sign events that the receiver believes. */
  'webhook.secret': { ...KEYS, user: 'recent' },
  'signing_keys': USERS,
  /** A link in a mail may open an account. */
  'mail.read': USERS,
  /** After the change, a restored copy contacts every user and application. */
  'outbound.resume': USERS,
  /** An attacker's mail server or provider would open every account. */
  'settings': USERS,
} satisfies Record<string, Record<CallerKind, Permission>>

export type SensitiveChange = keyof typeof PERMISSIONS

export const SENSITIVE_CHANGES = Object.keys(PERMISSIONS) as SensitiveChange[]

export function permissionOf(change: SensitiveChange, kind: CallerKind): Permission {
  return PERMISSIONS[change][kind]
}

export function may(change: SensitiveChange, actor: Actor) {
  const permission = permissionOf(change, callerKindOf(actor))
  return (
    permission === 'allowed' || (permission === 'recent' && Boolean(actor.hasRecentAuthentication))
  )
}

/** @throws E_INSUFFICIENT_SCOPE, E_RECENT_LOGIN_REQUIRED, and E_UNAUTHORIZED without a caller */
export function assertMay(change: SensitiveChange, actor: Actor) {
  const kind = callerKindOf(actor)
  const permission = permissionOf(change, kind)
  if (permission === 'never')
    throw kind === 'anonymous' ? new E_UNAUTHORIZED() : new E_INSUFFICIENT_SCOPE()
  if (permission === 'recent' && !actor.hasRecentAuthentication) throw new E_RECENT_LOGIN_REQUIRED()
}
