import limits from '#config/limits'
import db from '@adonisjs/lucid/services/db'
import { lockForChange } from '#auth/lock_for_change'
import { countDelegated } from '#auth/lockout/throttle'
import { E_MANAGED } from '#configuration/errors'
import { assertNotManaged } from '#configuration/managed'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { E_GROUP_LIMIT, unknownGroup } from './errors.ts'
import type { Group } from './group.ts'
import { groupKey, isProviderName } from './group_name.ts'
import { findGroupsByName, getGroupOrFail, lockGroups } from './group_rows.ts'
import { assertMayChangeMember, prepareGroupChange } from './permissions.ts'
import { deleteMemberRows, insertMemberRows, memberRowsOf } from './member_rows.ts'
import { groupNamesOf } from './names_of.ts'
import { recordMemberships } from './record_members.ts'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'
import type User from '#models/user'

/* A change locks the user, so that the limit holds and each user version has the right groups. */

type Named = Pick<Group, 'id' | 'name'>

interface Edit {
  add: Named[]
  remove: Named[]
  /** The error for a group that was deleted before it was locked. */
  missing: () => Error
}

/** Idempotent. @throws E_NOT_FOUND, E_GROUP_LIMIT, E_MANAGED, and what `assertMay` throws */
export function addMember(userId: string, groupId: string, actor: Actor) {
  return changeMember(userId, actor, async (trx) => {
    return { add: [await getGroupOrFail(groupId, trx)], remove: [], missing: notFound }
  })
}

/** Idempotent. @throws E_NOT_FOUND, E_MANAGED, and what `assertMay` throws */
export function removeMember(userId: string, groupId: string, actor: Actor) {
  return changeMember(userId, actor, async (trx) => {
    return { add: [], remove: [await getGroupOrFail(groupId, trx)], missing: notFound }
  })
}

/**
 * Keeps memberships that a provider manages.
 * @returns the names of all groups of the user
 * @throws E_NOT_FOUND, E_VALIDATION_ERROR for an unknown name, and what `addMember` throws
 */
export async function setGroupsOf(userId: string, names: string[], actor: Actor) {
  const { user, changes } = await changeMembers(userId, actor, (trx) => editFor(userId, names, trx))
  if (changes > 1) await countDelegated('delegatedChanges', actor, changes - 1)
  return groupNamesOf(user)
}

/** The caller has locked the row of the user. @returns whether the groups changed */
export async function setGroupsWithin(
  about: { user: User; actor: Actor },
  names: string[],
  trx: Transaction
) {
  return (await changeWithin(about, await editFor(about.user.id, names, trx), trx)) > 0
}

async function editFor(userId: string, names: string[], trx: Transaction): Promise<Edit> {
  const add = await getGroupsByNameOrFail(names, trx)
  const wanted = new Set(add.map(({ id }) => id))
  const rows = await memberRowsOf(userId, trx)
  const others = rows.filter((row) => row.source === null && !wanted.has(row.group_id))
  const remove = others.map((row) => ({ id: row.group_id, name: row.name }))
  return { add, remove, missing: unknownName }
}

const notFound = () => new E_NOT_FOUND()
const unknownName = () => unknownGroup('groups')

async function getGroupsByNameOrFail(names: string[], trx: Transaction) {
  const groups = names.length > 0 ? await findGroupsByName(names, trx) : []
  const known = new Set(groups.map(({ name }) => groupKey(name)))
  if (names.some((name) => !known.has(groupKey(name)))) throw unknownName()
  return groups
}

type EditOf = (trx: Transaction) => Promise<Edit>

async function changeMember(userId: string, actor: Actor, editOf: EditOf) {
  const { user } = await changeMembers(userId, actor, editOf)
  return user
}

async function changeMembers(userId: string, actor: Actor, editOf: EditOf) {
  await prepareGroupChange(actor)
  return db.transaction(async (trx) => {
    const user = await lockForChange(userId, actor, trx)
    const changes = await changeWithin({ user, actor }, await editOf(trx), trx)
    return { user: changes > 0 ? await user.refresh() : user, changes }
  })
}

/** @returns the number of memberships that changed */
async function changeWithin(
  { user, actor }: { user: User; actor: Actor },
  edit: Edit,
  trx: Transaction
) {
  const rows = await memberRowsOf(user.id, trx)
  const sources = new Map(rows.map((row) => [row.group_id, row.source]))
  const add = edit.add.filter(({ id }) => !sources.has(id))
  const remove = edit.remove.filter(({ id }) => sources.has(id))
  if (add.length + remove.length === 0) return 0
  const isProvided = remove.some(({ id }) => sources.get(id) !== null)
  if (isProvided || add.some(({ name }) => isProviderName(name))) throw new E_MANAGED()
  const total = rows.length + add.length - remove.length
  if (add.length > 0 && total > limits.groupsOfUser) throw new E_GROUP_LIMIT()
  const ids = [...add, ...remove].map(({ id }) => id)
  const groups = await lockGroups(ids, trx)
  const isThere = new Set(groups.map(({ id }) => id))
  if (!add.every(({ id }) => isThere.has(id))) throw edit.missing()
  await assertMayChangeMember({ user, groups, actor }, trx)
  if (user.isService)
    await assertNotManaged({ kind: 'service_account', id: user.id }, ['groups'], trx)
  await write(user.id, { add, remove }, trx)
  await recordMemberships({ user, actor }, { add, remove }, trx)
  return add.length + remove.length
}

type Difference = Pick<Edit, 'add' | 'remove'>

async function write(userId: string, { add, remove }: Difference, trx: Transaction) {
  const groupIds = remove.map(({ id }) => id)
  await deleteMemberRows({ userIds: [userId], groupIds }, trx)
  const now = Date.now()
  const rows = add.map(({ id }) => ({ user_id: userId, group_id: id, source: null, added_at: now }))
  await insertMemberRows(rows, trx)
}
