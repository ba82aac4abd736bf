import type { I18n } from '@adonisjs/i18n'
import type { Setting } from '#settings/list_settings'

/* The fields of the forms of `/admin/settings`, each named as its variable. */

export const CARDS = {
  brand: ['BRAND_NAME', 'BRAND_COLOR'],
  mail: ['SMTP_HOST', 'SMTP_PORT', 'SMTP_USERNAME', 'SMTP_PASSWORD', 'MAIL_FROM'],
  access: ['SIGN_UP', 'SIGN_UP_DOMAINS', 'REQUIRE_VERIFIED_EMAIL', 'ADMIN_REQUIRE_MFA'],
} as const

export type Card = keyof typeof CARDS

export function isCard(name: string): name is Card {
  return Object.hasOwn(CARDS, name)
}

const CHOICES: Record<string, string[]> = {
  SIGN_UP: ['open', 'invite'],
  REQUIRE_VERIFIED_EMAIL: ['true', 'false'],
  ADMIN_REQUIRE_MFA: ['true', 'false'],
}

export interface SettingField {
  name: string
  label: string
  hint: string
  kind: 'text' | 'number' | 'password' | 'choice'
  /** The stored value as the field shows it; empty for a setting that only its default decides. */
  stored: string
  placeholder: string | null
  options: { value: string; text: string }[] | null
  isWritable: boolean
  /** The effective value, for a field that is locked. */
  effective: string
  isHidden: boolean
}

export function fieldsOf(i18n: I18n, card: Card, settings: Setting[]): SettingField[] {
  const byName = new Map(settings.map((setting) => [setting.key as string, setting]))
  return CARDS[card].map((name) => toField(i18n, byName.get(name)!))
}

function toField(i18n: I18n, setting: Setting): SettingField {
  const { key, source, secret, writable, description } = setting
  const isStored = source === 'console' && !secret
  return {
    name: key,
    label: i18n.t(`configure.fields.${key}`),
    hint: description,
    kind: kindOf(setting),
    stored: isStored ? String(setting.value ?? '') : '',
    placeholder: secret ? savedSecret(i18n, setting) : textOf(setting.default),
    options: optionsOf(i18n, setting),
    isWritable: writable,
    effective: valueText(i18n, setting),
    isHidden: setting.hidden ?? false,
  }
}

function kindOf({ key, secret, default: value }: Setting): SettingField['kind'] {
  if (CHOICES[key]) return 'choice'
  if (secret) return 'password'
  return typeof value === 'number' ? 'number' : 'text'
}

function savedSecret(i18n: I18n, { value }: Setting) {
  return value === null ? null : i18n.t('configure.secret_saved')
}

const textOf = (value: Setting['value']) => (value === null ? null : String(value))

/** The first option leaves the choice to the default. */
function optionsOf(i18n: I18n, { key, default: fallback }: Setting) {
  const choices = CHOICES[key]
  if (!choices) return null
  const usual = i18n.t('configure.default_is', { value: choiceText(i18n, String(fallback)) })
  const options = choices.map((value) => ({ value, text: choiceText(i18n, value) }))
  return [{ value: '', text: usual }, ...options]
}

function choiceText(i18n: I18n, value: string) {
  return i18n.t(`configure.choices.${value}`)
}

/** Returns “set” for a secret, a word for a switch, and the value as text for all others. */
export function valueText(i18n: I18n, { key, value, secret }: Setting): string {
  if (value === null || value === '') return i18n.t('configure.not_set')
  if (secret || key === 'BRAND_LOGO') return i18n.t('configure.set')
  return typeof value === 'boolean' ? choiceText(i18n, String(value)) : String(value)
}
