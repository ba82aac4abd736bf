import { ipPrefix } from './count_keys.ts'
import { isWithinFailureEvents } from './address_throttle.ts'
import type { Actor } from '#audit/actor'

/** Asks the address alone: the time must not tell whether a user has the e-mail. */
export async function exceedsFailureEvents({ ip }: Actor) {
  return ip !== null && !(await isWithinFailureEvents(ip))
}

/** An attacker makes up e-mails, so that only the address bounds the events. */
export function addressCause({ ip }: Actor) {
  return ['address', ipPrefix(ip!)]
}
