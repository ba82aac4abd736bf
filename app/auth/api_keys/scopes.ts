import { ADMIN_ROLE } from '#models/user'

/** No scope opens credentials, keys or the export: a leaked key must not take an account over. */
export const SCOPES = [
  'profile:read',
  'users:read',
  'users:write',
  'sessions:read',
  'sessions:write',
  'audit:read',
  'tokens:introspect',
  'clients:write',
  'groups:read',
  'groups:write',
  'webhooks:read',
  'webhooks:write',
] as const

export type Scope = (typeof SCOPES)[number]

const OWN_SCOPES: readonly Scope[] = ['profile:read', 'sessions:read', 'sessions:write']

/** These scopes reach every user for an administrator, and only oneself for other users. */
export const REACHING_SCOPES: readonly string[] = ['sessions:read', 'sessions:write']

// Only administrators create keys for service accounts, which need no other scopes.
const SERVICE_SCOPES: readonly Scope[] = [...OWN_SCOPES, 'tokens:introspect']

export function scopesOf({ role, kind }: { role: string; kind: string }): readonly Scope[] {
  if (role === ADMIN_ROLE) return SCOPES
  return kind === 'service' ? SERVICE_SCOPES : OWN_SCOPES
}
