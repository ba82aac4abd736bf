import limits from '#config/limits'
import { consume } from '#auth/lockout/rate_limit'
import type { Actor } from '#audit/actor'

/** Counts per administrator: a test calls a typed server. @throws E_TOO_MANY_REQUESTS */
export function throttleTests(actor: Actor) {
  return consume(`settings-test:{${actor.id ?? actor.name}}`, limits.settingsTest)
}

/**
 * Each change mails the administrators, whom a stolen session must not flood. Commands have no limit.
 * @throws E_TOO_MANY_REQUESTS
 */
export async function throttleChanges({ id }: Actor) {
  if (id) await consume(`settings-change:{${id}}`, limits.settingsChanges)
}
