import limits from '#config/limits'
import { errorAt, type Entry } from '#configuration/document/entries'
import { E_GROUP_LIMIT } from '#groups/errors'
import { countGroups } from '#groups/group_rows'
import { E_WEBHOOK_LIMIT } from '#webhooks/errors'
import { countWebhooks } from '#webhooks/webhook_rows'
import { missingProviderGroups } from './provider_groups.ts'
import type { ManagedKind } from '#configuration/managed_rows'
import type { Situation } from './situation.ts'
import type { Step } from './step.ts'

/** The insert of a group or a webhook enforces the same limits, but a check inserts nothing. */
export async function assertWithinLimits(steps: Step[], situation: Situation) {
  const { trx, errors } = situation
  const refuse = (entry: Entry | undefined, message: string) => {
    if (entry) errors.push(errorAt(entry, '', message))
  }
  const groups = [...newOf('group', steps), ...missingProviderGroups(situation).values()]
  if (groups.length > 0)
    refuse(beyond(limits.groups - (await countGroups(trx)), groups), new E_GROUP_LIMIT().message)
  const webhooks = newOf('webhook', steps)
  if (webhooks.length > 0)
    refuse(
      beyond(limits.webhooks - (await countWebhooks(trx)), webhooks),
      new E_WEBHOOK_LIMIT().message
    )
}

function newOf(kind: ManagedKind, steps: Step[]) {
  return steps.filter((step) => step.kind === kind && step.id === null).map(({ entry }) => entry)
}

/** Returns the first entry for which there is no room. */
function beyond(room: number, entries: Entry[]): Entry | undefined {
  return entries[Math.max(0, room)]
}
