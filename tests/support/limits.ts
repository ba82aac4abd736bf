import { getActiveTestOrFail } from '@japa/runner'
import limits from '#config/limits'
import type { Group } from '@japa/runner/core'

/** For the rest of a test, in place: throttles keep a reference to their limit. */
export function setLimit(rate: { limit: number }, limit: number) {
  const usual = rate.limit
  rate.limit = limit
  getActiveTestOrFail().cleanup(() => void (rate.limit = usual))
}

type MailLimits = Partial<Record<'keyMailRecipients' | 'settingsMailRecipients', number>>

/** @returns what restores them */
function setLimits(changed: MailLimits) {
  const { keyMailRecipients, settingsMailRecipients } = limits
  Object.assign(limits, changed)
  return () => void Object.assign(limits, { keyMailRecipients, settingsMailRecipients })
}

export async function withLimits<Result>(changed: MailLimits, act: () => PromiseLike<Result>) {
  const restore = setLimits(changed)
  try {
    return await act()
  } finally {
    restore()
  }
}

/** For each test of a group. */
export function useLimits(group: Group, changed: MailLimits) {
  group.each.setup(() => setLimits(changed))
}
