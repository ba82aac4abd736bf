import limits from '#config/limits'
import { ROLES } from '#models/roles'
import { E_GROUP_LIMIT } from '#groups/errors'
import { groupKey, isProviderName } from '#groups/group_name'
import { memberRowsOf } from '#groups/member_rows'
import { setGroupsWithin } from '#groups/members'
import { changeRoleWithin } from '#users/change_role'
import { addServiceAccountWithin } from '#users/service_accounts'
import { errorAt, type Entry } from '#configuration/document/entries'
import { entriesOf, hasGroup, type Situation } from './situation.ts'
import type { Transaction } from '#database/transaction'
import type User from '#models/user'
import type { Step } from './step.ts'

export async function planAccounts(situation: Situation): Promise<Step[]> {
  const steps: Step[] = []
  for (const entry of entriesOf(situation, 'serviceAccounts'))
    steps.push(await planAccount(entry, situation))
  return steps
}

async function planAccount(entry: Entry<'serviceAccounts'>, situation: Situation): Promise<Step> {
  assertUsable(entry, situation)
  const [user] = situation.accounts.get(entry.value.username) ?? []
  const run: Step['run'] = async (trx) => {
    const account = user ?? (await make(entry, situation, trx))
    await change(account, { entry, situation }, trx)
    return account.id
  }
  const fields = user ? await changedFields(user, entry, situation.trx) : entry.named
  return { entry, kind: 'service_account', id: user?.id ?? null, fields, run }
}

/** Only the username tells which account is meant, so it must be unique. */
function assertUsable(entry: Entry<'serviceAccounts'>, situation: Situation) {
  const { username, role, groups = [] } = entry.value
  const { errors, accounts } = situation
  const refuse = (field: string, message: string) => errors.push(errorAt(entry, field, message))
  if ((accounts.get(username)?.length ?? 0) > 1) refuse('username', SEVERAL_ACCOUNTS)
  if (role !== undefined && !ROLES.includes(role))
    refuse('role', `The role must be one of ${ROLES.join(', ')}`)
  if (new Set(groups.map(groupKey)).size > limits.groupsOfUser)
    refuse('groups', new E_GROUP_LIMIT().message)
  for (const [at, name] of groups.entries())
    if (isProviderName(name))
      refuse(`groups.${at}`, 'Groups of a provider have members by it alone')
    else if (!hasGroup(situation, name)) refuse(`groups.${at}`, UNKNOWN_GROUP)
}

export const NO_ACCOUNT = 'No service account has this username: add it to serviceAccounts'

/** The server may be down, so the remedy is a command. */
export const SEVERAL_ACCOUNTS =
  'Several service accounts have this username: rename all but one, by user:update ID --username=NAME (user:list --kind=service --json has their ids)'

export const UNKNOWN_GROUP = 'No group has this name: add it to groups, or make it first'

async function changedFields(user: User, { value }: Entry<'serviceAccounts'>, trx: Transaction) {
  const fields = value.role !== undefined && value.role !== user.role ? ['role'] : []
  if (value.groups === undefined) return fields
  const rows = await memberRowsOf(user.id, trx)
  const now = rows.map(({ name }) => groupKey(name)).toSorted()
  const wanted = [...new Set(value.groups.map(groupKey))].toSorted()
  return now.join('\n') === wanted.join('\n') ? fields : [...fields, 'groups']
}

async function make(
  { value: { username, role } }: Entry<'serviceAccounts'>,
  { actor, madeAccounts }: Situation,
  trx: Transaction
) {
  const user = await addServiceAccountWithin({ username, role }, actor, trx)
  madeAccounts.set(username, user.id)
  return user
}

async function change(
  user: User,
  { entry, situation: { actor } }: { entry: Entry<'serviceAccounts'>; situation: Situation },
  trx: Transaction
) {
  const { role = user.role, groups } = entry.value
  await changeRoleWithin(user, { role, actor }, trx)
  if (groups !== undefined) await setGroupsWithin({ user, actor }, groups, trx)
}
