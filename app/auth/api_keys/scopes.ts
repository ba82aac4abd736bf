import { ADMIN_ROLE } from '#models/user'

/** Every scope that a key may have. No scope opens credentials, keys or the export. */
export const SCOPES = [
  'profile:read',
  'users:read',
  'users:write',
  'sessions:read',
  'sessions:write',
  'audit:read',
  'tokens:introspect',
  'clients:write',
] as const

export type Scope = (typeof SCOPES)[number]

/** What every user may let a key do. */
const OWN_SCOPES: readonly Scope[] = ['profile:read', 'sessions:read', 'sessions:write']

/** The scopes that keys of an owner may have at this moment. */
export function scopesOf({ role }: { role: string }): readonly Scope[] {
  return role === ADMIN_ROLE ? SCOPES : OWN_SCOPES
}
