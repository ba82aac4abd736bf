import db from '@adonisjs/lucid/services/db'
import { assertMay } from '#auth/callers/permissions'
import { assertActive } from '#auth/lock_for_change'
import { E_MANAGED } from '#configuration/errors'
import { assertGroupIsFree, assertNotManaged, forgetManaged } from '#configuration/managed'
import { record } from '#events/record'
import { invalidField } from '#exceptions/http_errors'
import { finishDeletion } from './finish_deletions.ts'
import { detailsOf, type Group } from './group.ts'
import { isProviderName } from './group_name.ts'
import { insertGroup, lockGroupOrFail, updateGroupRow, type GroupFields } from './group_rows.ts'
import { assertMayRename, prepareGroupChange } from './permissions.ts'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

/** `id` comes from a form, so that a form that is sent twice creates one group. */
export type NewGroup = Partial<GroupFields> & { name: string; id?: string }

/** @throws E_GROUP_EXISTS, E_GROUP_LIMIT, and what `assertMay` throws */
export function createGroup(group: NewGroup, actor: Actor) {
  return db.transaction((trx) => createGroupWithin(group, actor, trx))
}

export async function createGroupWithin(
  { id, name, title = null, description = null }: NewGroup,
  actor: Actor,
  trx: Transaction
) {
  assertMay('group.settings', actor)
  assertOwnName(name)
  await assertActive(actor, trx)
  const group = await insertGroup({ id, name, title, description }, trx)
  await record(trx, { type: 'group.created', user: null, actor, details: detailsOf(group) })
  return group
}

export interface GroupChange {
  id: string
  changes: Partial<GroupFields>
  actor: Actor
}

/** @throws E_NOT_FOUND, E_GROUP_EXISTS, E_MANAGED, and what `assertMay` throws */
export async function updateGroup(id: string, changes: Partial<GroupFields>, actor: Actor) {
  if (changes.name !== undefined) await prepareGroupChange(actor)
  return db.transaction((trx) => updateGroupWithin({ id, changes, actor }, trx))
}

export async function updateGroupWithin({ id, changes, actor }: GroupChange, trx: Transaction) {
  const before = await lockForActor(id, actor, trx)
  const after = { ...before, ...withoutUndefined(changes) }
  const fields = FIELDS.filter((field) => before[field] !== after[field])
  if (fields.length === 0) return before
  await assertNotManaged({ kind: 'group', id }, fields, trx)
  if (fields.includes('name')) await assertRenamable(before, after, { actor, trx })
  const { name, title, description } = after
  await updateGroupRow(id, { name, title, description }, trx)
  const pairs = fields.map((field) => [field, { before: before[field], after: after[field] }])
  const details = { ...detailsOf(after), ...Object.fromEntries(pairs) }
  await record(trx, { type: 'group.updated', user: null, actor, details })
  return after
}

const FIELDS = ['name', 'title', 'description'] as const

function withoutUndefined<T extends object>(values: T): Partial<T> {
  const pairs = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(pairs) as Partial<T>
}

function assertOwnName(name: string) {
  if (!isProviderName(name)) return
  throw invalidField(
    'name',
    'provider',
    'The name field must have no colon, which is for providers'
  )
}

async function assertRenamable(
  before: Group,
  after: Group,
  { actor, trx }: { actor: Actor; trx: Transaction }
) {
  if (isProviderName(before.name)) throw new E_MANAGED()
  assertOwnName(after.name)
  await assertMayRename([before, after], actor, trx)
  await assertGroupIsFree(before.id, trx)
}

/**
 * After the commit, the group has no members. Their rows are deleted in batches.
 * @throws E_NOT_FOUND, E_MANAGED while a provider has members in it, and what `assertMay` throws
 */
export async function deleteGroup(id: string, actor: Actor) {
  await prepareGroupChange(actor)
  const deleted = await db.transaction((trx) => deleteGroupWithin({ id, actor }, trx))
  await finishDeletion(deleted)
  return deleted
}

/** The caller calls `finishDeletion` after its commit. */
export async function deleteGroupWithin(
  { id, actor }: Pick<GroupChange, 'id' | 'actor'>,
  trx: Transaction
) {
  const group = await lockForActor(id, actor, trx)
  if (await hasProvidedMembers(id, trx)) throw new E_MANAGED()
  await assertMayRename([group], actor, trx)
  await forgetManaged({ kind: 'group', id }, trx)
  await assertGroupIsFree(id, trx)
  await trx.from('groups').where('id', id).delete()
  await trx.table('group_deletions').insert({ group_id: id, requested_at: Date.now() })
  const details = { ...detailsOf(group), members: group.memberCount }
  await record(trx, { type: 'group.deleted', user: null, actor, details })
  return group
}

async function hasProvidedMembers(id: string, trx: Transaction) {
  const members = trx.from('group_members').where('group_id', id).whereNotNull('source')
  return Boolean(await members.select('user_id').first())
}

async function lockForActor(id: string, actor: Actor, trx: Transaction) {
  assertMay('group.settings', actor)
  await assertActive(actor, trx)
  return lockGroupOrFail(id, trx)
}
