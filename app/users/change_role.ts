import { assertMay } from '#auth/callers/permissions'
import { changeKeepingAnAdmin } from '#auth/last_admin'
import { lockForChange } from '#auth/lock_for_change'
import { assertNotManaged } from '#configuration/managed'
import { revokeKeysOfRole } from '#auth/api_keys/revoke_keys'
import { ROLES } from '#models/roles'
import { endSessions } from '#auth/sessions/sessions'
import { record } from '#events/record'
import { ADMIN_ROLE } from '#models/user'
import { invalidRole } from './errors.ts'
import type User from '#models/user'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

/**
 * Ends sessions and API keys, so that no token carries the previous role.
 * @throws E_NOT_FOUND, E_LAST_ADMIN, `invalidRole`, and what `assertMay` throws
 */
export function changeRole(userId: string, role: string, actor: Actor) {
  return changeKeepingAnAdmin(async (trx) => {
    const user = await lockForChange(userId, actor, trx)
    await changeRoleWithin(user, { role, actor }, trx)
    return user.refresh()
  })
}

/** The caller has locked the row of the user. */
export async function changeRoleWithin(
  user: User,
  { role, actor }: { role: string; actor: Actor },
  trx: Transaction
) {
  const { id, kind, role: before } = user
  if (role === before) return
  if (!ROLES.includes(role)) throw invalidRole()
  if (user.isAdmin || role === ADMIN_ROLE) assertMay('administrator', actor)
  assertMay('user.role', actor)
  if (user.isService) await assertNotManaged({ kind: 'service_account', id }, ['role'], trx)
  await trx.from('users').where('id', id).update({ role, updated_at: Date.now() })
  await endSessions(id, { trx })
  await revokeKeysOfRole({ id, kind, role }, { before, actor }, trx)
  await record(trx, {
    type: 'role.changed',
    user,
    actor,
    details: { role: { before, after: role } },
  })
}
