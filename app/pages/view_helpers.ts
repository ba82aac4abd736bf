import edge from 'edge.js'
import { ADMIN_ROLE, DEFAULT_ROLE } from '#models/user'
import type { Authentication } from '#auth/sessions/authentication'
import { product } from '#config/app'
import { hostOf } from '#oidc/clients/redirect_uris'
import { assetPath } from './assets.ts'
import { shownBrand } from './shown_brand.ts'
import { iconPaths } from './icons.ts'
import {
  formatDuration,
  formatNumber,
  formatRemaining,
  formatTime,
  relativeTime,
  toUtc,
  type Instant,
  deviceLabel,
} from '#i18n/format'
import { localeOptions } from '#i18n/locales'
import { richText } from '#i18n/rich_text'
import { providerTitle } from '#auth/external/provider_title'
import type { I18n } from '@adonisjs/i18n'
import { describeField, hasErrors } from './forms/describe_field.ts'
import { passwordRules } from './sign_in/password_rules.ts'
import { consoleNavItems, type NavItem, foldNav } from './nav_items.ts'

function initials(name: string) {
  const words = name.trim().split(/\s+/)
  const letters = [words[0], words.length > 1 ? words.at(-1)! : ''].map(
    (word) => [...word][0] ?? ''
  )
  return letters.join('').toUpperCase() || '?'
}

/**
 * The helper of the template engine escapes no quotes: a user name could add an attribute
 * (cross-site scripting).
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

/** Hidden from screen readers, because the text beside it says the same. */
function icon(name: string) {
  return edge.globals.html.safe(
    `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${iconPaths(name)}</svg>`
  )
}

/** Returns a text such as “password and code”. */
function signInMethod(i18n: I18n, { method, amr }: Authentication) {
  const name = i18n.t(`common.method.${method}`, {}, method)
  return amr.includes('otp') ? i18n.t('common.method.with_code', { method: name }) : name
}

function ago(i18n: I18n, at: Instant) {
  return relativeTime(i18n.locale, at) ?? i18n.t('common.just_now')
}

function inLanguage<Values extends unknown[]>(format: (i18n: I18n, ...values: Values) => unknown) {
  return function (this: { i18n: I18n }, ...values: Values) {
    return format(this.i18n, ...values)
  }
}

export const viewHelpers = {
  attributes,
  describeField,
  hasErrors,
  asset: assetPath,
  brand: shownBrand,
  icon,
  product,
  hostOf,
  initials,
  rich: inLanguage(richText),
  signInMethod: inLanguage(signInMethod),
  ago: inLanguage(ago),
  deviceLabel: inLanguage(deviceLabel),
  remaining: inLanguage((i18n, at: Instant) => formatRemaining(i18n.locale, at)),
  duration: inLanguage((i18n, ms: number) => formatDuration(i18n.locale, ms)),
  isoTime: (at: Instant) => toUtc(at).toISO(),
  shortTime: inLanguage((i18n, at: Instant) => formatTime(i18n.locale, at, 'shortTime')),
  shortDay: inLanguage((i18n, at: Instant) => formatTime(i18n.locale, at, 'shortDay')),
  longTime: inLanguage((i18n, at: Instant) => formatTime(i18n.locale, at, 'longTime')),
  dayName: inLanguage((i18n, at: Instant) => formatTime(i18n.locale, at, 'dayName')),
  passwordRules: inLanguage(passwordRules),
  number: inLanguage((i18n, value: number) => formatNumber(i18n.locale, value)),
  consoleNav: inLanguage((i18n, current: string) =>
    foldNav(consoleNavItems(), current).map((item) => ({
      ...item,
      text: i18n.t(`console.nav.${item.id}`),
    }))
  ),
  accountNav: inLanguage((i18n, items: NavItem[], current: string) =>
    foldNav(items, current).map((item) => ({ ...item, text: i18n.t(`account.nav.${item.id}`) }))
  ),
  providerTitle,
  adminRole: ADMIN_ROLE,
  defaultRole: DEFAULT_ROLE,
  localeOptions,
}
