import vine from '@vinejs/vine'
import { text } from './rules.ts'

/*
 | Times in the URLs of pages: a day, a minute, or an instant with its zone. What has no zone
 | is UTC, whatever zone the server has: an address means the same to everybody it is sent to.
 */

const DAY = /^\d{4}-\d\d-\d\d$/
const MINUTE = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

/** In milliseconds since the epoch; NaN for a text that is no time. */
export function parseUtcTime(time: string) {
  if (DAY.test(time)) return Date.parse(`${time}T00:00Z`)
  if (MINUTE.test(time)) return Date.parse(`${time}Z`)
  return INSTANT.test(time) ? Date.parse(time) : Number.NaN
}

/** The minute of an instant, as a URL and the field of a form hold it. */
export function formatUtcMinute(at: number) {
  return new Date(at).toISOString().slice(0, 16)
}

export function isUtcDay(time: string) {
  return DAY.test(time)
}

/** The value of a field for a time of the URL; null without one. */
export function utcFieldValue(time: unknown) {
  if (typeof time !== 'string' || Number.isNaN(parseUtcTime(time))) return null
  return isUtcDay(time) ? time : formatUtcMinute(parseUtcTime(time))
}

const utcTimeRule = vine.createRule((value, _, field) => {
  if (!Number.isNaN(parseUtcTime(String(value)))) return
  field.report('The {{ field }} field must be a time such as 2026-01-31', 'utcTime', field)
})

/** The validated value is the text itself: it goes back into the URLs of the page. */
export const utcTime = () => text(40).use(utcTimeRule())
