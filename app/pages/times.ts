import { DateTime, Duration } from 'luxon'

/*
 | Times are written in UTC and say so; the script of the pages turns them into the reader's,
 | with UTC in a tooltip.
 */

/** A time, milliseconds since the epoch or ISO 8601. */
export type Instant = DateTime | number | string

export function toUtc(at: Instant) {
  if (at instanceof DateTime) return at.toUTC()
  const isMillis = typeof at === 'number' || /^\d+$/.test(at)
  return isMillis
    ? DateTime.fromMillis(Number(at), { zone: 'utc' })
    : DateTime.fromISO(at, { zone: 'utc' })
}

/** “3 minutes ago”, “in 20 minutes”, “just now”. */
export function ago(at: Instant) {
  const then = toUtc(at)
  const isRecent = Math.abs(then.diffNow().toMillis()) < 60_000
  return isRecent ? 'just now' : then.setLocale('en').toRelative()
}

/** “29 minutes”, rounded up: the time until a lock ends. */
export function remaining(at: Instant) {
  const minutes = Math.max(1, Math.ceil(toUtc(at).diffNow().as('minutes')))
  return duration(minutes * 60_000)
}

/** “30 minutes”, “7 days”. */
export function duration(ms: number) {
  const unit = ms >= 172_800_000 ? 'days' : ms >= 7_200_000 ? 'hours' : 'minutes'
  const amount = Math.round(Duration.fromMillis(ms).as(unit))
  return `${amount} ${amount === 1 ? unit.slice(0, -1) : unit}`
}
