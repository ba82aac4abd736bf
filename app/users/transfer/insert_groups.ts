import { record } from '#events/record'
import { detailsOf, type Group } from '#groups/group'
import { groupKey, isProviderName } from '#groups/group_name'
import { findGroupsByName, insertMissingGroups, lockGroups } from '#groups/group_rows'
import { insertMemberRows, type MemberRow } from '#groups/member_rows'
import { noteSeen } from '#groups/provided/seen_providers'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'
import type { GroupChoice } from './group_choice.ts'
import type { UsableRow } from './insert_users.ts'

interface GroupOptions {
  actor: Actor
  choice: GroupChoice
}

/** Puts new users into their groups, and makes the groups that are missing. */
export async function insertGroups(
  added: UsableRow[],
  { actor, choice }: GroupOptions,
  trx: Transaction
) {
  const wishes = added.map((row) => ({ row, names: choice.namesFor(reportOf(row), row.groups) }))
  const names = [...new Set(wishes.flatMap((wish) => wish.names))]
  if (names.length === 0) return
  const made = await insertMissingGroups(names, trx)
  for (const group of made)
    await record(trx, { type: 'group.created', user: null, actor, details: detailsOf(group) })
  choice.noteMade(made.map(({ name }) => name))
  const groups = await findByKey(names, trx)
  const members = wishes.flatMap(({ row, names: own }) =>
    own.flatMap((name) => memberOf(row, name, { groups, choice }))
  )
  await insertMemberRows(members, trx)
  await noteProviders(members, trx)
}

/** Their memberships lapse as if the users had signed in now. */
async function noteProviders(members: MemberRow[], trx: Transaction) {
  const provided = members.filter(({ source }) => source !== null)
  const seen = new Map(provided.map((row) => [`${row.user_id} ${row.source}`, row]))
  for (const { user_id: userId, source } of seen.values())
    await noteSeen({ userId, provider: source! }, trx)
}

const reportOf = ({ line, user }: UsableRow) => ({ line, email: user.email })

async function findByKey(names: string[], trx: Transaction) {
  const found = await findGroupsByName(names, trx)
  const locked = await lockGroups(
    found.map(({ id }) => id),
    trx
  )
  return new Map(locked.map((group) => [groupKey(group.name), group]))
}

function memberOf(
  row: UsableRow,
  name: string,
  { groups, choice }: { groups: Map<string, Group>; choice: GroupChoice }
) {
  const group = groups.get(groupKey(name))
  if (!group) {
    choice.tell(reportOf(row), `leaves out ${name}: there are as many groups as there can be`)
    return []
  }
  choice.noteKnown(reportOf(row), group.name)
  const source = isProviderName(group.name) ? group.name.split(':')[0] : null
  return [{ user_id: row.user.id, group_id: group.id, source, added_at: Date.now() }]
}
