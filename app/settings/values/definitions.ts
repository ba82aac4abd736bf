import logger from '@adonisjs/core/services/logger'
import { givenValues, rules } from '#start/env'
import { secretSettings } from '#setup/environment/secret_files'
import { derivedDefault } from './derived_defaults.ts'
import { BESIDE } from './other_settings.ts'
import type { Rule } from '#setup/environment/rules'

export type SettingName = keyof typeof rules

export const SETTING_NAMES = Object.keys(rules) as SettingName[]

/** All settings, including the ones that have no rule of their own. */
export const LISTED_NAMES = SETTING_NAMES.flatMap((name) => [name, ...(BESIDE[name] ?? [])])

export function hasRule(name: string): name is SettingName {
  return Object.hasOwn(rules, name)
}

/** Every process applies a change of these at its next request. All others need a restart. */
export const WRITABLE = [
  'BRAND_NAME',
  'BRAND_COLOR',
  'BRAND_LOGO',
  'MAIL_FROM',
  'SMTP_HOST',
  'SMTP_PORT',
  'SMTP_USERNAME',
  'SMTP_PASSWORD',
  'SIGN_UP',
  'SIGN_UP_DOMAINS',
  'REQUIRE_VERIFIED_EMAIL',
  'ADMIN_REQUIRE_MFA',
] as const satisfies SettingName[]

export type WritableSetting = (typeof WRITABLE)[number]

const SECRETS = new Set(secretSettings({ OIDC_PROVIDERS: givenValues.get('OIDC_PROVIDERS') }))

export const SECRET_SETTINGS: string[] = WRITABLE.filter((name) => SECRETS.has(name))

export function isWritableSetting(name: string): name is WritableSetting {
  return (WRITABLE as readonly string[]).includes(name)
}

export function isSecretSetting(name: string) {
  return SECRETS.has(name)
}

/** The environment takes precedence. An empty variable counts as missing. */
export function isInEnv(name: string) {
  return givenValues.has(name)
}

/** A password of the environment must not go to a server that the console names. */
const BESIDE_PASSWORD = ['SMTP_HOST', 'SMTP_PORT']

export function isLocked(name: string) {
  return isInEnv(name) || (BESIDE_PASSWORD.includes(name) && isInEnv('SMTP_PASSWORD'))
}

/** @throws an error with one line for the operator, which repeats no secret value */
export function parseSetting(name: SettingName, text?: string): unknown {
  return (rules[name] as Rule<unknown>)(name, text)
}

/** Returns undefined if the rule refuses the text: an earlier release may have stored it. */
export function storedValue(name: SettingName, text: string): unknown {
  try {
    return parseSetting(name, text)
  } catch (error) {
    logger.warn({ setting: name }, `the stored setting is not used: ${error.message}`)
    return undefined
  }
}

export type ShownValue = string | number | boolean | null

/** Returns the stored text unchanged, for the trail, if the rule no longer accepts it. */
export function shownStored(name: SettingName, text?: string): ShownValue {
  const isUsable = text === undefined || storedValue(name, text) !== undefined
  return isUsable ? shownValue(name, text) : text
}

/** Mails are written to files until a server is named, so the rule's default is not shown. */
const WITHOUT_DEFAULT = new Set<string>(['SMTP_HOST'])

/** Returns a text as in the environment, or a boolean or number as in JSON. */
export function shownValue(name: SettingName, text?: string): ShownValue {
  if (isSecretSetting(name)) return text === undefined ? null : 'set'
  if (text === undefined && WITHOUT_DEFAULT.has(name)) return null
  const { format } = rules[name] as Rule<unknown>
  const value = parseSetting(name, text)
  if (typeof value === 'boolean' || (typeof value === 'number' && !format)) return value
  if (text !== undefined) return text.trim()
  if (format) return format(value)
  return typeof value === 'string' && value !== '' ? value : derivedDefault(name)
}
