import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type User from '#models/user'

type Grouped = Pick<User, 'groupIds'>

/** The record of the user has the ids, so that a user without a group costs no statement. */
export async function groupsOf({ groupIds }: Grouped, client?: QueryClientContract) {
  if (!groupIds) return []
  const rows: { name: string; title: string | null }[] = await (client ?? db)
    .from('groups')
    .whereIn('id', groupIds.split(' '))
    .select('name', 'title')
  return rows.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** Sorted by code units, so that a token always has them in one order. */
export async function groupNamesOf(user: Grouped, client?: QueryClientContract) {
  const groups = await groupsOf(user, client)
  return groups.map(({ name }) => name)
}
