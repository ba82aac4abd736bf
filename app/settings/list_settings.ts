import config from '#config/settings'
import env, { givenValues } from '#start/env'
import { i18nFor } from '#i18n/locales'
import { ensureSettings } from '#settings/values/ensure_settings'
import { isStoredUsed, settingValue, storedSettings, storedText } from '#settings/values/current'
import {
  isInEnv,
  isLocked,
  isSecretSetting,
  isWritableSetting,
  hasRule,
  LISTED_NAMES,
  shownValue,
  type SettingName,
  type ShownValue,
} from '#settings/values/definitions'
import { otherDefault, otherDescription } from '#settings/values/other_settings'
import { etagOf } from '#settings/values/setting_rows'

export interface Setting {
  key: string
  /** For a secret, only `set` or null. */
  value: ShownValue
  source: 'default' | 'environment' | 'console'
  default: ShownValue
  writable: boolean
  secret: boolean
  description: string
  /** Set if the environment hides a stored value. */
  hidden?: true
}

export interface SettingList {
  settings: Setting[]
  etag: string
}

/** @param locale the language of the descriptions */
export async function listSettings(locale = 'en'): Promise<SettingList> {
  await ensureSettings()
  const i18n = i18nFor(locale)
  const settings = LISTED_NAMES.map((key) => ({
    key,
    ...(hasRule(key) ? ruledSetting(key) : otherSetting(key)),
    secret: isSecretSetting(key),
    description: i18n.t(...otherDescription(key)),
  }))
  return { settings, etag: etagOf(storedSettings()) }
}

type Shown = Omit<Setting, 'key' | 'secret' | 'description'>

function ruledSetting(key: SettingName): Shown {
  const [value, fallback] = [valueOf(key), shownValue(key)]
  const shown = { ...value, default: fallback, writable: isWritable(key) }
  return isHidden(key) ? { ...shown, hidden: true } : shown
}

/** Describes a setting that only the environment can set. */
function otherSetting(key: string): Shown {
  const fallback = otherDefault(key)
  const given = givenValues.get(key)?.trim()
  const rest = { default: fallback, writable: false }
  if (given === undefined) return { value: fallback, source: 'default', ...rest }
  return { value: isSecretSetting(key) ? 'set' : given, source: 'environment', ...rest }
}

function valueOf(key: SettingName): Pick<Setting, 'value' | 'source'> {
  if (isInEnv(key)) return { value: shownValue(key, givenValues.get(key)), source: 'environment' }
  if (key === 'MAIL_MAILER') return mailerValue()
  const text = isWritableSetting(key) && !isLocked(key) ? storedText(key) : undefined
  if (text === undefined || !isStoredUsed(key)) return { value: defaultOf(key), source: 'default' }
  return { value: key === 'BRAND_LOGO' ? 'set' : shownValue(key, text), source: 'console' }
}

/** On SQLite, a start generates the keyrings that are not given. */
function defaultOf(key: SettingName) {
  const isKeyring = isSecretSetting(key) && Array.isArray(env.get(key))
  return isKeyring && env.get(key)!.toString() ? 'set' : shownValue(key)
}

/** Without `MAIL_MAILER`, a named SMTP server is used. */
function mailerValue(): Pick<Setting, 'value' | 'source'> {
  const value = settingValue('MAIL_MAILER')
  if (value === 'outbox') return { value, source: 'default' }
  return { value, source: isInEnv('SMTP_HOST') ? 'environment' : 'console' }
}

function isWritable(key: SettingName) {
  return config.inConsole && isWritableSetting(key) && !isLocked(key)
}

function isHidden(key: SettingName) {
  return isWritableSetting(key) && isLocked(key) && storedText(key) !== undefined
}
