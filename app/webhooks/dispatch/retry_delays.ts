import { randomInt } from 'node:crypto'

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000]

/** Delays between the tries of a delivery, three days in total. */
const DELAYS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]

/** The longest time that an endpoint may fail without a success. */
export const LONGEST_FAILURE_MS = 5 * 24 * HOUR

/** Receivers that were down must not get all tries at one moment. */
const SPREAD = 0.2

/** Returns null after the last try. */
export function nextAttemptAt(attempts: number, now: number): number | null {
  const delay = DELAYS_MS.at(attempts - 1)
  if (attempts < 1 || delay === undefined) return null
  const most = Math.round(delay * SPREAD)
  return now + delay + randomInt(-most, most + 1)
}
