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

/** Only administrators make keys of service accounts, and asking about tokens needs no more. */
const SERVICE_SCOPES: readonly Scope[] = [...OWN_SCOPES, 'tokens:introspect']

/** The scopes that keys of an owner may have at this moment. */
export function scopesOf({ role, kind }: { role: string; kind: string }): readonly Scope[] {
  if (role === ADMIN_ROLE) return SCOPES
  return kind === 'service' ? SERVICE_SCOPES : OWN_SCOPES
}
