import limits from '#config/limits'
import type { Group } from '@japa/runner/core'

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
