import { groupKey, isProviderName } from '#groups/group_name'
import { createGroupWithin, updateGroupWithin } from '#groups/groups'
import { errorAt, type Entry } from '#configuration/document/entries'
import { entriesOf, type Situation } from './situation.ts'
import type { Step } from './step.ts'

export function planGroups(situation: Situation): Step[] {
  return entriesOf(situation, 'groups').map((entry) => planGroup(entry, situation))
}

const FIELDS = ['name', 'title', 'description'] as const

function planGroup(entry: Entry<'groups'>, { groups, actor, errors }: Situation): Step {
  const { value } = entry
  if (isProviderName(value.name))
    errors.push(errorAt(entry, 'name', 'The name must have no colon, which is for providers'))
  const before = groups.get(groupKey(value.name))
  const fields = FIELDS.filter((name) => value[name] !== undefined)
  if (!before) {
    const run: Step['run'] = async (trx) => {
      const { id } = await createGroupWithin(value, actor, trx)
      return id
    }
    return { entry, kind: 'group', id: null, fields, run }
  }
  const { id } = before
  const changed = fields.filter((name) => value[name] !== before[name])
  const run: Step['run'] = async (trx) => {
    await updateGroupWithin({ id, changes: value, actor }, trx)
    return id
  }
  return { entry, kind: 'group', id, fields: changed, run }
}
