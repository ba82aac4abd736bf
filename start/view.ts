import edge from 'edge.js'
import { ADMIN_ROLE } from '#models/user'
import type { Authentication } from '#auth/sessions/authentication'
import { assetPath } from '#pages/assets'
import { iconPaths } from '#pages/icons'
import { ago, duration, remaining, toUtc, type Instant } from '#pages/times'
import { consoleNavItems } from '#pages/nav_items'

/*
 | Globals of all templates: formatting and the navigation of the console.
 */

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
