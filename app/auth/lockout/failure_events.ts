import { ipPrefix } from './count_keys.ts'
import { isWithinFailureEvents } from './address_throttle.ts'
import type { Actor } from '#audit/actor'

/** Checks only the address: the response time must not tell whether a user has the e-mail. */
export async function exceedsFailureEvents({ ip }: Actor) {
  return ip !== null && !(await isWithinFailureEvents(ip))
}

/** An attacker can invent e-mails, so only the address limits the number of events. */
export function addressCause({ ip }: Actor) {
  return ['address', ipPrefix(ip!)]
}
