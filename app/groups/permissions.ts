import { assertMay, may } from '#auth/callers/permissions'
import { isDelegated } from '#auth/callers/caller_kind'
import { ADMIN_ROLE } from '#models/user'
import { isNamedByApplication, prepareGroupUses } from './uses.ts'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'
import type User from '#models/user'
import type { Group } from './group.ts'

/** Must run before the transaction of a change that calls a function below. */
export async function prepareGroupChange(actor: Actor) {
  if (!may('group.access', actor)) await prepareGroupUses()
}

/** @throws what `assertMay` throws */
export async function assertMayChangeMember(
  { user, groups, actor }: { user: User; groups: Group[]; actor: Actor },
  trx: Transaction
) {
  assertMay('group.members', actor)
  if (user.isAdmin || user.id === actor.id) assertMay('group.own_members', actor)
  await assertMayUse(groups, actor, trx)
}

/**
 * A new name, or a deletion, changes what applications learn about every member.
 * @param groups the group before and, unless it is deleted, after: a claim may name either
 */
export async function assertMayRename(groups: [Group, ...Group[]], actor: Actor, trx: Transaction) {
  if (isDelegated(actor) && (await hasAdminOrOwner(groups[0], actor, trx)))
    assertMay('group.own_members', actor)
  await assertMayUse(groups, actor, trx)
}

/** Does not look at the clients if the caller has `group.access`. */
async function assertMayUse(groups: Group[], actor: Actor, trx: Transaction) {
  if (may('group.access', actor)) return
  if (await isNamedByApplication(groups, trx)) assertMay('group.access', actor)
}

async function hasAdminOrOwner({ id }: Group, actor: Actor, trx: Transaction) {
  const members = trx.from('group_members').where('group_id', id).whereColumn('user_id', 'users.id')
  const some = trx
    .from('users')
    .where((user) => user.where('role', ADMIN_ROLE).orWhere('id', actor.id!))
    .whereExists(members)
  return Boolean(await some.select('id').first())
}
