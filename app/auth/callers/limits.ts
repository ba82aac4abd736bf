import { E_INSUFFICIENT_SCOPE, E_RECENT_LOGIN_REQUIRED, E_UNAUTHORIZED } from '#auth/errors'
import { callerKindOf, type CallerKind } from './caller_kind.ts'
import type { Actor } from '#audit/actor'

/*
 | Caller × sensitive change, for API, console and commands alike. A leaked API key, or an
 | application, must neither take an account over nor raise a role, so no scope opens these
 | changes to them. The session of a user alone must not do so either: it may be stolen or left
 | open (OWASP ASVS 7.5.3), so the user proves anew who they are.
 */

/** `recent`: after a recent authentication of the user. */
type Rule = 'allowed' | 'recent' | 'never'

const OPERATORS = { operator: 'allowed', system: 'allowed', anonymous: 'never' } as const
const USERS = { ...OPERATORS, user: 'recent', client: 'never', api_key: 'never' } as const
const USERS_AT_ANY_TIME = { ...USERS, user: 'allowed' } as const
const DELEGATES = { ...USERS, client: 'allowed', api_key: 'allowed' } as const

const LIMITS = {
  /** The account of the caller: its deletion, its address. */
  'own_account': USERS,
  /** An administrator is made, loses access, or their credentials reach another user. */
  'administrator': USERS,
  'user.role': USERS,
  /** A role beyond the default one, for a user who is created. */
  'user.first_role': USERS_AT_ANY_TIME,
  /** A link to set a password is mailed to the address: a change of it hands the account over. */
  'user.email': USERS,
  /** A verified address lets a provider sign the user in. */
  'user.email_verified': USERS,
  'user.password': USERS,
  'user.mfa_reset': USERS,
  /** A passkey or an identity of another user is removed, or a link to set a password is mailed. */
  'user.sign_in_methods': USERS_AT_ANY_TIME,
  'api_key.create': USERS,
  /** Revoking takes away, and is urgent when a key has leaked. */
  'api_key.revoke': USERS_AT_ANY_TIME,
  'client.settings': DELEGATES,
  /** A client with scopes of the API, or for a service account: its secret is worth both. */
  'client.api_access': USERS,
  /** Users of a first-party client are asked for no consent, so that its settings decide who gets their tokens. */
  'client.first_party': USERS,
  /** Where codes of a client that users have allowed go, or its secret: both together are their sign-ins. */
  'client.in_use': USERS,
  'signing_keys': USERS,
} satisfies Record<string, Record<CallerKind, Rule>>

export type SensitiveChange = keyof typeof LIMITS

export const SENSITIVE_CHANGES = Object.keys(LIMITS) as SensitiveChange[]

export function limitOf(change: SensitiveChange, kind: CallerKind): Rule {
  return LIMITS[change][kind]
}

/** @throws E_INSUFFICIENT_SCOPE, E_RECENT_LOGIN_REQUIRED, and E_UNAUTHORIZED without a caller */
export function assertMay(change: SensitiveChange, actor: Actor) {
  const kind = callerKindOf(actor)
  const limit = limitOf(change, kind)
  if (limit === 'never')
    throw kind === 'anonymous' ? new E_UNAUTHORIZED() : new E_INSUFFICIENT_SCOPE()
  if (limit === 'recent' && !actor.hasRecentProof) throw new E_RECENT_LOGIN_REQUIRED()
}
