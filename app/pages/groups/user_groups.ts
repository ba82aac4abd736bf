import { listGroups } from '#groups/list_groups'
import { isProviderName } from '#groups/group_name'
import { memberRowsOf } from '#groups/member_rows'
import type User from '#models/user'

/** A browser filters them while the administrator types. */
const PROPOSED_NAMES = 100

export async function userGroupsOf({ id }: User) {
  const [rows, groupNames] = await Promise.all([memberRowsOf(id), proposedNames()])
  return {
    groups: rows.map((row) => ({
      id: row.group_id,
      name: row.name,
      source: row.source,
      addedAt: Number(row.added_at),
    })),
    groupNames,
  }
}

export async function proposedNames() {
  const { groups } = await listGroups({ limit: PROPOSED_NAMES })
  return groups.map(({ name }) => name).filter((name) => !isProviderName(name))
}
