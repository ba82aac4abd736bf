import { E_INSUFFICIENT_SCOPE, E_RECENT_LOGIN_REQUIRED, E_UNAUTHORIZED } from '#auth/errors'
import { callerKindOf, type CallerKind } from './caller_kind.ts'
import type { Actor } from '#audit/actor'

// No scope opens these changes: a leaked key or an application must not take an account over. A
// session may be stolen (OWASP ASVS 7.5.3), so that the user authenticates again. What a scope opens
// is in `app/auth/api_keys/route_scopes.ts`.

type Permission = 'allowed' | 'recent' | 'never'

const OPERATORS = { operator: 'allowed', system: 'allowed', anonymous: 'never' } as const
const USERS = { ...OPERATORS, user: 'recent', client: 'never', api_key: 'never' } as const
const USERS_AT_ANY_TIME = { ...USERS, user: 'allowed' } as const
const KEYS = { ...USERS, user: 'allowed', api_key: 'allowed' } as const
const DELEGATES = { ...USERS, client: 'allowed', api_key: 'allowed' } as const

/** Of users it says whether the sign-in must be recent. `app/policies` says what only administrators may. */
const PERMISSIONS = {
  'own_account': USERS,
  /** An administrator is made, loses access, or their credentials reach another user. */
  'administrator': USERS,
  'user.role': USERS,
  'user.first_role': USERS_AT_ANY_TIME,
  /** A mailed link sets a password: a change of the address hands the account over. */
  'user.email': USERS,
  /** A verified address lets a provider sign the user in. */
  'user.email_verified': USERS,
  /** Applications name accounts by it: another handle may open another user's account there. */
  'user.handle': USERS,
  /** Applications decide by it what the user may do there. */
  'user.app_metadata': USERS,
  /** A service account acts without a sign-in and outlives who made it. */
  'user.kind': USERS,
  /** Commands and configuration files know a service account by its name alone. */
  'user.service_username': USERS,
  /** A leaked key that renames administrators could hide one behind the name of another. */
  'user.administrator_profile': USERS_AT_ANY_TIME,
  'user.password': USERS,
  'user.mfa_reset': USERS,
  /** Another user loses a passkey or identity, or gets a link to set a password. */
  'user.sign_in_methods': USERS_AT_ANY_TIME,
  'api_key.create': USERS,
  /** Revoking takes away, and is urgent when a key has leaked. */
  'api_key.revoke': USERS_AT_ANY_TIME,
  /** A scope for keys alone opens them. */
  'group.settings': KEYS,
  'group.members': KEYS,
  /** A leaked key must not give its owner, or an administrator, access to applications. */
  'group.own_members': USERS_AT_ANY_TIME,
  /** The access or the claims of an application name the group. */
  'group.access': { ...KEYS, user: 'recent' },
  'client.settings': DELEGATES,
  /** A client with scopes of the API, or for a service account: its secret is worth both. */
  'client.api_access': USERS,
  /** No consent is asked, so that the client's settings decide who gets the tokens. */
  'client.first_party': USERS,
  /** What users relied on when they allowed the client: who receives their tokens, and how. */
  'client.in_use': USERS,
  'webhook.settings': KEYS,
  /** Events go there, which tell of every user. */
  'webhook.address': { ...KEYS, user: 'recent' },
  /** With it others sign what the receiver believes. */
  'webhook.secret': { ...KEYS, user: 'recent' },
  'signing_keys': USERS,
  /** A link in it may open an account. */
  'mail.read': USERS,
  /** A restored copy then writes to every user and application. */
  'outbound.resume': USERS,
  /** A mail server or provider of an attacker opens every account. */
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
