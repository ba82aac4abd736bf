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
  | 'clientListBytes'
type ChangedLimits = Partial<Record<Lowered, number>>

/** @returns what restores them */
function setLimits(changed: ChangedLimits) {
  const names = Object.keys(changed) as Lowered[]
  const usual = Object.fromEntries(names.map((name) => [name, limits[name]]))
  Object.assign(limits, changed)
  return () => void Object.assign(limits, usual)
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
