import { DateTime, Duration } from 'luxon'
import type { I18n } from '@adonisjs/i18n'

/* Times are written in UTC; the script of the pages converts them to the reader's clock. */

/** Milliseconds since the epoch or ISO 8601. */
export type Instant = DateTime | Date | number | string

/** English texts are British: the day precedes the month, and hours count to 24. */
function formatLocale(locale: string) {
  return locale === 'en' ? 'en-GB' : locale
}

const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const
const MINUTE = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

const FORMATS = {
  shortDay: DAY,
  shortTime: { ...DAY, ...MINUTE },
  longTime: {
    ...{ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
    ...{ ...MINUTE, second: '2-digit', timeZoneName: 'short' },
  },
  mailTime: {
    ...{ day: 'numeric', month: 'long', year: 'numeric' },
    ...{ ...MINUTE, timeZoneName: 'short' },
  },
  dayName: { weekday: 'short', day: 'numeric', month: 'long' },
  axisDay: { day: 'numeric', month: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

export function toUtc(at: Instant): DateTime {
  if (at instanceof DateTime) return at.toUTC()
  if (at instanceof Date) return toUtc(at.getTime())
  const isMillis = typeof at === 'number' || /^\d+$/.test(at)
  return isMillis
    ? DateTime.fromMillis(Number(at), { zone: 'utc' })
    : DateTime.fromISO(at, { zone: 'utc' })
}

/** Returns a time in UTC, such as “22 Nov 2026, 14:05”. */
export function formatTime(locale: string, at: Instant, format: keyof typeof FORMATS) {
  return toUtc(at).toLocaleString(FORMATS[format], { locale: formatLocale(locale) })
}

/** Returns “3 minutes ago” or “in 20 minutes”; null within a minute. */
export function relativeTime(locale: string, at: Instant) {
  const then = toUtc(at)
  const isRecent = Math.abs(then.diffNow().toMillis()) < 60_000
  return isRecent ? null : then.toRelative({ locale: formatLocale(locale) })
}

export function formatDuration(locale: string, ms: number) {
  const unit = ms >= 172_800_000 ? 'days' : ms >= 7_200_000 ? 'hours' : 'minutes'
  return formatUnit(locale, Math.round(Duration.fromMillis(ms).as(unit)), unit)
}

/** Returns “1 hour” or “7 days”. Minutes are rounded up, hours and days down. */
export function formatLifetime(locale: string, ms: number) {
  const minutes = Math.ceil(ms / 60_000)
  const hours = Math.floor(minutes / 60)
  if (hours < 1) return formatUnit(locale, minutes, 'minutes')
  if (hours <= 24) return formatUnit(locale, hours, 'hours')
  return formatUnit(locale, Math.floor(hours / 24), 'days')
}

/** Returns the time until a lock ends, rounded up, such as “29 minutes”. */
export function formatRemaining(locale: string, at: Instant) {
  const minutes = Math.max(1, Math.ceil(toUtc(at).diffNow().as('minutes')))
  return formatDuration(locale, minutes * 60_000)
}

function formatUnit(locale: string, amount: number, unit: 'minutes' | 'hours' | 'days') {
  const style = { style: 'unit', unit: unit.slice(0, -1), unitDisplay: 'long' } as const
  return new Intl.NumberFormat(formatLocale(locale), style).format(amount)
}

export function formatNumber(locale: string, value: number) {
  return new Intl.NumberFormat(formatLocale(locale)).format(value)
}

/** Translates device names, which are stored in English: “Chrome unter Linux”. */
export function deviceLabel(i18n: I18n, name: string) {
  if (name === 'Unknown device') return i18n.t('common.device_unknown')
  const [, browser, system] = /^(.+?) on (.+)$/.exec(name) ?? []
  return browser ? i18n.t('common.device', { browser, system }) : name
}
