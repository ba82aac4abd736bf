import edge from 'edge.js'
import { DateTime, Duration } from 'luxon'
import { ADMIN_ROLE } from '#models/user'
import type { Authentication } from '#auth/sessions/authentication'
import signingKeys from '#config/signing_keys'
import { hasKnownKeys } from '#auth/signing_keys/known_keys'
import { assetPath } from '#pages/assets'
import { iconPaths } from '#pages/icons'

/*
 | Globals of all templates: formatting and the navigation of the console. Times are written in
 | UTC and say so; the script of the pages turns them into the reader's, with UTC in a tooltip.
 */

type Instant = DateTime | number | string

function toUtc(at: Instant) {
  if (at instanceof DateTime) return at.toUTC()
  const isMillis = typeof at === 'number' || /^\d+$/.test(at)
  return isMillis
    ? DateTime.fromMillis(Number(at), { zone: 'utc' })
    : DateTime.fromISO(at, { zone: 'utc' })
}

/** “3 minutes ago”, “in 20 minutes”, “just now”. */
function ago(at: Instant) {
  const then = toUtc(at)
  const isRecent = Math.abs(then.diffNow().toMillis()) < 60_000
  return isRecent ? 'just now' : then.setLocale('en').toRelative()
}

/** “29 minutes”, rounded up: the time until a lock ends. */
function remaining(at: Instant) {
  const minutes = Math.max(1, Math.ceil(toUtc(at).diffNow().as('minutes')))
  return duration(minutes * 60_000)
}

/** “30 minutes”, “7 days”. */
function duration(ms: number) {
  const unit = ms >= 172_800_000 ? 'days' : ms >= 7_200_000 ? 'hours' : 'minutes'
  const amount = Math.round(Duration.fromMillis(ms).as(unit))
  return `${amount} ${amount === 1 ? unit.slice(0, -1) : unit}`
}

function initials(name: string) {
  const words = name.trim().split(/\s+/)
  const letters = [words[0], words.length > 1 ? words.at(-1)! : ''].map(
    (word) => [...word][0] ?? ''
  )
  return letters.join('').toUpperCase() || '?'
}

/**
 * Attributes of an element, each value escaped; false, null and undefined omit theirs. The
 * helper of the template engine escapes no quotes, so that an attacker's user name could
 * end its attribute and add another (cross-site scripting).
 */
function attributes(values: Record<string, unknown>) {
  const { escape, safe } = edge.globals.html
  const present = Object.entries(values).filter(
    ([, value]) => value !== false && value !== null && value !== undefined
  )
  const pairs = present.map(([name, value]) =>
    value === true ? name : `${name}="${escape(String(value))}"`
  )
  return safe(pairs.join(' '))
}

/** An icon beside a text with the same meaning, hidden from screen readers. */
function icon(name: string) {
  return edge.globals.html.safe(
    `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${iconPaths(name)}</svg>`
  )
}

/** “password and code”: how the holder of a session signed in. */
function signInMethod({ method, amr }: Authentication) {
  return amr.includes('otp') ? `${method} and code` : method
}

const navItems = [
  { id: 'dashboard', path: '/admin', title: 'Dashboard', icon: 'chart' },
  { id: 'users', path: '/admin/users', title: 'Users', icon: 'people' },
  { id: 'sessions', path: '/admin/sessions', title: 'Sessions', icon: 'screen' },
  { id: 'audit', path: '/admin/audit', title: 'Audit', icon: 'list' },
  { id: 'mails', path: '/admin/mails', title: 'Mail', icon: 'mail' },
  { id: 'keys', path: '/admin/keys', title: 'Keys', icon: 'key' },
  { id: 'account', path: '/admin/account', title: 'Account', icon: 'person' },
]

/** Keys are of interest where key pairs sign, or did. */
function consoleNavItems() {
  const hasKeys = signingKeys.algorithm !== 'HS256' || hasKnownKeys()
  return hasKeys ? navItems : navItems.filter(({ id }) => id !== 'keys')
}

const helpers = {
  attributes,
  asset: assetPath,
  icon,
  initials,
  signInMethod,
  ago,
  remaining,
  duration,
  isoTime: (at: Instant) => toUtc(at).toISO(),
  shortTime: (at: Instant) => toUtc(at).toFormat('d LLL yyyy, HH:mm'),
  shortDay: (at: Instant) => toUtc(at).toFormat('d LLL yyyy'),
  longTime: (at: Instant) => toUtc(at).toFormat("cccc, d LLLL yyyy, HH:mm:ss 'UTC'"),
  dayName: (at: Instant) => toUtc(at).toFormat('ccc d LLLL'),
  number: (value: number) => value.toLocaleString('en-GB'),
  consoleNavItems,
  adminRole: ADMIN_ROLE,
}

for (const [name, helper] of Object.entries(helpers)) edge.global(name, helper)
