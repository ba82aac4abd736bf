import type { I18n } from '@adonisjs/i18n'
import { CLIENT_FIELDS, CLIENT_VALUES } from './client_words.ts'

/** A name without a message is shown as it is recorded. */
export function translateOr(i18n: I18n, key: string, otherwise: string) {
  return i18n.hasFallbackMessage(key) ? i18n.t(key) : otherwise
}

/** The name of a changed setting, such as `SMTP_HOST`. */
const SETTING = /^[A-Z][A-Z0-9_]+$/

/** Returns “Second factor” for `mfa`; a field without a message is shown by its own words. */
export function fieldTitle(i18n: I18n, field: string) {
  if (SETTING.test(field)) return field
  const words = field.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)
  const key = CLIENT_FIELDS.get(field) ?? `events.fields.${field}`
  return translateOr(i18n, key, capitalize(words.replaceAll('_', ' ')))
}

export function isChange(value: unknown): value is { before: unknown; after: unknown } {
  return value !== null && typeof value === 'object' && 'after' in value
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

export function display(i18n: I18n, field: string, value: unknown): string {
  if (value === null || value === '') return i18n.t('events.values.nothing')
  if (typeof value === 'object') return displayAll(i18n, value)
  const words = CLIENT_VALUES.get(field) ?? `events.values.${field}`
  return translateOr(i18n, `${words}.${value}`, plain(i18n, field, value))
}

function plain(i18n: I18n, field: string, value: unknown) {
  if (typeof value === 'boolean') return i18n.t(value ? 'events.values.yes' : 'events.values.no')
  const mayBeHidden = SETTING.test(field) || CLIENT_FIELDS.has(field)
  if (value === 'changed' && mayBeHidden) return i18n.t('events.values.changed')
  if (field === 'kind') return mailSubject(i18n, String(value))
  return TIMESTAMP.test(String(value))
    ? `${String(value).slice(0, 16).replace('T', ' ')} UTC`
    : String(value)
}

/** Returns the subject that users of the language read. An event names the kind of its mail. */
function mailSubject(i18n: I18n, kind: string) {
  return translateOr(i18n, `mails.${kind}.subject`, kind.replaceAll('_', ' '))
}

/** Returns “Role: Admin, mfa: off”; an empty filter finds all, and an empty list has nothing. */
function displayAll(i18n: I18n, values: object) {
  const given = Object.entries(values).filter(([, value]) => value !== null)
  const texts = given.map(([field, value]) =>
    Array.isArray(values)
      ? display(i18n, '', value)
      : `${i18n.t('events.field', { field: fieldTitle(i18n, field) })} ${display(i18n, '', value)}`
  )
  return texts.join(', ') || i18n.t(`events.values.${Array.isArray(values) ? 'nothing' : 'all'}`)
}

export function capitalize(text: string) {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
