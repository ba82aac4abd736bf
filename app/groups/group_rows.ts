import { v7 as uuidv7, validate as isUuid } from 'uuid'
import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { lockName } from '#database/named_lock'
import { isUniqueViolation } from '#database/unique_violation'
import { E_GROUP_EXISTS, E_GROUP_LIMIT } from './errors.ts'
import { canonicalGroupName, groupKey } from './group_name.ts'
import { toGroup, type Group, type GroupRow } from './group.ts'
import type { Transaction } from '#database/transaction'

/* Transactions lock users first, then groups in the order of their ids: another order could deadlock. */

export interface GroupFields {
  name: string
  title: string | null
  description: string | null
}

export async function findGroup(id: string, trx?: Transaction): Promise<Group | null> {
  const row = isUuid(id) ? await (trx ?? db).from('groups').where('id', id).first() : null
  return row ? toGroup(row) : null
}

/** @throws E_NOT_FOUND */
export async function getGroupOrFail(id: string, trx?: Transaction) {
  const group = await findGroup(id, trx)
  if (!group) throw new E_NOT_FOUND()
  return group
}

export async function findGroupByName(name: string): Promise<Group | null> {
  const [group] = canonicalGroupName(name) === null ? [] : await findGroupsByName([name])
  return group ?? null
}

/** Looks for the id first, because another group may have it as its name. @throws E_NOT_FOUND */
export async function getGroupByNameOrFail(name: string) {
  const group = (await findGroup(name)) ?? (await findGroupByName(name))
  if (!group) throw new E_NOT_FOUND(`No group is named ${name}`)
  return group
}

/** Databases limit the number of values in one statement. */
const CHUNK_SIZE = 1_000

export async function findGroupsByName(names: string[], trx?: Transaction): Promise<Group[]> {
  const keys = [...new Set(names.map(groupKey))]
  const groups: Group[] = []
  for (let at = 0; at < keys.length; at += CHUNK_SIZE) {
    const chunk = keys.slice(at, at + CHUNK_SIZE)
    const rows: GroupRow[] = await (trx ?? db).from('groups').whereIn('name_key', chunk)
    groups.push(...rows.map(toGroup))
  }
  return groups
}

/** @throws E_NOT_FOUND */
export async function lockGroupOrFail(id: string, trx: Transaction) {
  const [group] = isUuid(id) ? await lockGroups([id], trx) : []
  if (!group) throw new E_NOT_FOUND()
  return group
}

/** @returns the groups that still exist */
export async function lockGroups(ids: string[], trx: Transaction): Promise<Group[]> {
  if (ids.length === 0) return []
  const rows = await trx.from('groups').whereIn('id', ids).orderBy('id').forUpdate()
  return rows.map(toGroup)
}

/** @throws E_GROUP_EXISTS, E_GROUP_LIMIT */
export async function insertGroup(
  fields: GroupFields & { id?: string },
  trx: Transaction
): Promise<Group> {
  if ((await roomForGroups(trx)) < 1) throw new E_GROUP_LIMIT()
  const row = newRow(fields)
  await unlessTaken(trx.table('groups').insert(row))
  return toGroup({ ...row, member_count: 0 })
}

/** @throws E_GROUP_EXISTS */
export async function updateGroupRow(id: string, fields: GroupFields, trx: Transaction) {
  const columns = { ...fields, name_key: groupKey(fields.name), updated_at: Date.now() }
  await unlessTaken(trx.from('groups').where('id', id).update(columns))
}

async function unlessTaken(write: PromiseLike<unknown>) {
  try {
    await write
  } catch (error) {
    throw isUniqueViolation(error) ? new E_GROUP_EXISTS() : error
  }
}

function newRow({ id = uuidv7(), name, title, description }: GroupFields & { id?: string }) {
  const now = Date.now()
  const names = { name, name_key: groupKey(name), title, description }
  return { id, ...names, created_at: now, updated_at: now }
}

/** The lock makes concurrent creations wait, so that all groups stay within the limit. */
async function roomForGroups(trx: Transaction, most = limits.groups) {
  await lockName('new groups', trx)
  return Math.min(most, limits.groups) - (await countGroups(trx))
}

export async function countGroups(trx: Transaction) {
  const [{ total }] = await trx.from('groups').count('* as total')
  return Number(total)
}

/**
 * Creates groups for names that come with users, from a file or a provider.
 * @param names valid names of groups
 * @param most the limit of all groups; a lower limit leaves room for other groups
 * @returns the created groups; names beyond the limit are left out
 */
export async function insertMissingGroups(
  names: string[],
  trx: Transaction,
  most = limits.groups
): Promise<Group[]> {
  const known = await findGroupsByName(names, trx)
  const missing = new Map(names.map((name) => [groupKey(name), name]).toReversed() as Names)
  for (const { name } of known) missing.delete(groupKey(name))
  if (missing.size === 0) return []
  const room = Math.max(0, await roomForGroups(trx, most))
  const rows = [...missing.values()]
    .slice(0, room)
    .map((name) => newRow({ name, title: null, description: null }))
  const ids = await insertRows(rows, trx)
  return rows.filter(({ id }) => ids.has(id)).map((row) => toGroup({ ...row, member_count: 0 }))
}

async function insertRows(rows: object[], trx: Transaction) {
  const ids = new Set<string>()
  for (let at = 0; at < rows.length; at += CHUNK_SIZE) {
    const insert = trx
      .knexQuery()
      .insert(rows.slice(at, at + CHUNK_SIZE))
      .into('groups')
    const made = await insert.onConflict('name_key').ignore().returning('id')
    for (const { id } of made) ids.add(id)
  }
  return ids
}

type Names = [string, string][]
