import { DateTime } from 'luxon'

/** Letters of any script with what stands inside names; two words of an address never pass. */
const PLAIN = /^[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N} '’_-]|\.(?= |$)){0,39}$/u

/**
 * A name as it may stand in a mail, or null. A name is chosen by whoever registers, also
 * with somebody else's address, and a device calls itself what it likes: what could pass
 * for a link or a message of its own (“Win at evil.example!”) is not repeated to that
 * person under our name.
 */
export function plainText(name: string | undefined) {
  return name && PLAIN.test(name) ? name : null
}

/** “21 November 2026, 14:05 UTC” */
export function formatTime(iso: string) {
  return DateTime.fromISO(iso, { zone: 'utc' }).toFormat("d MMMM yyyy, HH:mm 'UTC'")
}

/** “30 minutes”, “24 hours”, “7 days” */
export function formatDuration(milliseconds: number) {
  const hours = milliseconds / 3_600_000
  if (hours < 1) return `${milliseconds / 60_000} minutes`
  return hours <= 24 ? `${hours} hours` : `${hours / 24} days`
}
