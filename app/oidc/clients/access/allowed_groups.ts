import { unknownGroup } from '#groups/errors'
import { groupKey } from '#groups/group_name'
import { findGroupsByName, lockGroups } from '#groups/group_rows'
import type { Group } from '#groups/group'
import type { OAuthClient } from '#oidc/clients/client'
import type { Transaction } from '#database/transaction'

/**
 * Locks groups before the client, as a deletion of a group does. @returns them in order of `names`
 * @throws E_VALIDATION_ERROR for an unknown name
 */
export async function lockAllowedGroups(names: string[], trx: Transaction) {
  if (names.length === 0) return []
  const found = await findGroupsByName(names, trx)
  const locked = await lockGroups(
    found.map(({ id }) => id),
    trx
  )
  const groups = new Map(locked.map((group) => [groupKey(group.name), group]))
  return [...new Set(names.map(groupKey))].map((key) => {
    const group = groups.get(key)
    if (!group) throw unknownGroup('allowedGroups')
    return group
  })
}

export function withGroups(client: OAuthClient, groups: Pick<Group, 'id' | 'name'>[]): OAuthClient {
  const allowedGroups = groups.map(({ name }) => name)
  return { ...client, allowedGroups, allowedGroupIds: groups.map(({ id }) => id) }
}
