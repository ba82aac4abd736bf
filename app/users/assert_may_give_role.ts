import { assertMay } from '#auth/callers/permissions'
import { ADMIN_ROLE, DEFAULT_ROLE } from '#models/user'
import type { Actor } from '#audit/actor'

/** @throws what `assertMay` throws for a role beyond the default one */
export function assertMayGiveRole(role: string, actor: Actor) {
  if (role === ADMIN_ROLE) assertMay('administrator', actor)
  if (role !== DEFAULT_ROLE) assertMay('user.first_role', actor)
}
