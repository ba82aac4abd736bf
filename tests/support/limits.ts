import { getActiveTestOrFail } from '@japa/runner'
import limits from '#config/limits'
import type { Group } from '@japa/runner/core'

/** Changes a limit in place for the rest of a test: throttles keep a reference to it. */
export function setLimit(rate: { limit: number }, limit: number) {
  const usual = rate.limit
  rate.limit = limit
  getActiveTestOrFail().cleanup(() => void (rate.limit = usual))
}

type Lowered =
  | 'keyMailRecipients'
  | 'settingsMailRecipients'
  | 'pendingDeliveries'
  | 'clientAddressBytes'
  | 'clientClaimBytes'
  | 'clientListBytes'
  | 'secretQueue'
type ChangedLimits = Partial<Record<Lowered, number>>

const usual: ChangedLimits = {}
const changes: ChangedLimits[] = []

/** Changes may overlap: a limit is reset when all its changes have ended. @returns the end */
function setLimits(changed: ChangedLimits) {
  for (const name of Object.keys(changed) as Lowered[]) usual[name] ??= limits[name]
  const change = { ...changed }
  changes.push(change)
  apply()
  return () => {
    changes.splice(changes.indexOf(change), 1)
    apply()
  }
}

function apply() {
  Object.assign(limits, usual, ...changes)
}

export async function withLimits<Result>(changed: ChangedLimits, act: () => PromiseLike<Result>) {
  const restore = setLimits(changed)
  try {
    return await act()
  } finally {
    restore()
  }
}

/** Changes limits for each test of a group. */
export function useLimits(group: Group, changed: ChangedLimits) {
  group.each.setup(() => setLimits(changed))
}
