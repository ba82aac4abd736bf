import { getActiveTestOrFail } from '@japa/runner'
import limits from '#config/limits'
import type { Group } from '@japa/runner/core'

/** For the rest of a test, in place: throttles keep a reference to their limit. */
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

/** Changes may overlap: each limit is as usual once all that changed it have ended. @returns what ends it */
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

/** For each test of a group. */
export function useLimits(group: Group, changed: ChangedLimits) {
  group.each.setup(() => setLimits(changed))
}
