import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import store from '#auth/store/service'
import { ensureConfiguration, VersionedCache } from '#database/configuration_version'
import type { Transaction } from '#database/transaction'
import type User from '#models/user'

type Grouped = Pick<User, 'groupIds'>

/** The user's record contains the ids, so a user without a group costs no statement. */
export async function groupsOf({ groupIds }: Grouped) {
  if (!groupIds) return []
  const rows: { name: string; title: string | null }[] = await db
    .from('groups')
    .whereIn('id', groupIds.split(' '))
    .select('name', 'title')
  return rows.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

const remembered = new VersionedCache<string>({ max: limits.groups })

/**
 * Reads names from memory: a rename takes effect at the next request. Sorts names by code units, so
 * that tokens always contain them in the same order.
 */
export async function groupNamesOf({ groupIds }: Grouped) {
  if (!groupIds) return []
  await ensureConfiguration(() => store.readConfiguration())
  const ids = groupIds.split(' ')
  let reading: Promise<Map<string, string>> | undefined
  const read = async (id: string) => {
    const names = await (reading ??= readNames(ids))
    return names.get(id) ?? null
  }
  const names = await Promise.all(ids.map((id) => remembered.find(id, () => read(id))))
  return names.filter((name) => name !== null).toSorted()
}

/** Returns the names by id. */
export async function readNames(ids: string[], trx?: Transaction) {
  const rows: { id: string; name: string }[] = await (trx ?? db)
    .from('groups')
    .whereIn('id', ids)
    .select('id', 'name')
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Leaves out deleted groups, which rows of members and clients still name for a while. */
export async function existingGroupIds(ids: string[], trx: Transaction) {
  const names = await readNames(ids, trx)
  return ids.filter((id) => names.has(id))
}
