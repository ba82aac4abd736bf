import vine from '@vinejs/vine'
import { text } from './rules.ts'

/* A time without a zone is UTC, so that a URL means the same for every reader. */

const DAY = /^\d{4}-\d\d-\d\d$/
const MINUTE = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

/** @returns milliseconds since the epoch; NaN for an invalid text */
export function parseUtcTime(time: string) {
  if (DAY.test(time)) return Date.parse(`${time}T00:00Z`)
  if (MINUTE.test(time)) return Date.parse(`${time}Z`)
  return INSTANT.test(time) ? Date.parse(time) : Number.NaN
}

export function formatUtcMinute(at: number) {
  return new Date(at).toISOString().slice(0, 16)
}

export function isUtcDay(time: string) {
  return DAY.test(time)
}

export function utcFieldValue(time: unknown) {
  if (typeof time !== 'string' || Number.isNaN(parseUtcTime(time))) return null
  return isUtcDay(time) ? time : formatUtcMinute(parseUtcTime(time))
}

const utcTimeRule = vine.createRule((value, _, field) => {
  if (!Number.isNaN(parseUtcTime(String(value)))) return
  field.report('The {{ field }} field must be a time such as 2026-01-31', 'utcTime', field)
})

/** The validated value is the text itself, because it goes back into URLs. */
export const utcTime = () => text(40).use(utcTimeRule())
