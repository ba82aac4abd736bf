import { DateTime } from 'luxon'

/** Letters and digits of any script, with the marks that names contain; a dot only before a blank. */
const PLAIN_TEXT = /^[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N} '’_-]|\.(?= |$)){0,39}$/u

/**
 * The name of a user or device when it is safe in a mail, otherwise null. An attacker can
 * register another person's address under a name such as “Win at evil.example!”, or send
 * it as device name; a mail that repeated it would carry their message under our name.
 */
export function plainText(name: string | undefined) {
  return name && PLAIN_TEXT.test(name) ? name : null
}

/**
 * An address without its text, such as “e•••@a•••”. The user chose it, so it may be a
 * sentence with a link, which a mail to another mailbox must not carry under our name.
 */
export function maskEmail(email: string) {
  const [local, domain] = email.split('@')
  return `${local[0]}•••@${domain[0]}•••`
}

/** “21 November 2026, 14:05 UTC” */
export function formatTime(iso: string) {
  return DateTime.fromISO(iso, { zone: 'utc' }).toFormat("d MMMM yyyy, HH:mm 'UTC'")
}

/** “30 minutes”, “1 hour”, “24 hours”, “7 days”: whole units, rounded down but for a begun minute. */
export function formatDuration(milliseconds: number) {
  const minutes = Math.ceil(milliseconds / 60_000)
  const hours = Math.floor(minutes / 60)
  if (hours < 1) return count(minutes, 'minute')
  return hours <= 24 ? count(hours, 'hour') : count(Math.floor(hours / 24), 'day')
}

function count(number: number, unit: string) {
  return `${number} ${unit}${number === 1 ? '' : 's'}`
}
