import type { Env } from '@adonisjs/core/env'
import config from '#config/settings'
import env from '#start/env'
import { loadWithConfiguration } from '#database/configuration_version'
import {
  isInEnv,
  isLocked,
  isSecretSetting,
  isWritableSetting,
  storedValue,
  type SettingName,
} from './definitions.ts'
import { mailServerOf, type MailServer } from './mail_server.ts'
import { readProviders, type ProviderRow } from './provider_rows.ts'
import { MAIL_SERVER_CHANGED, readSettings, type SettingRow } from './setting_rows.ts'

/* Effective settings of environment and console, in memory under the configuration version. */

type Values = typeof env extends Env<infer Known> ? Known : never

let rows: SettingRow[] = []
let providers: ProviderRow[] = []
let stored = new Map<string, unknown>()
let server: MailServer | undefined
const listeners: (() => void)[] = []

/** Calls `refresh` when stored settings change, but not for other configuration changes. */
export function onSettingsChange(refresh: () => void) {
  listeners.push(refresh)
}

/** Returns the effective value, as of the configuration version that the request has read. */
export function settingValue<Name extends SettingName>(name: Name): Values[Name] {
  return stored.has(name) ? (stored.get(name) as Values[Name]) : (env.get(name) as Values[Name])
}

export function currentMailServer() {
  return (server ??= mailServerOf(rows))
}

export const storedSettings = () => rows

export const storedProviders = () => providers

export function storedText(name: string) {
  return rows.find(({ key }) => key === name)?.value
}

/** False if the rule no longer accepts the stored text. */
export const isStoredUsed = (name: SettingName) => stored.has(name)

/** Does not check the version, because a command calls it: it runs shorter than a request may. */
export async function loadSettings() {
  const before = rows.find(({ key }) => key === 'BRAND_LOGO')
  const read = await readSettings(before?.version)
  const isKnown = (row: SettingRow) => row.key === 'BRAND_LOGO' && row.value === ''
  applyRows(
    read.map((row) => (isKnown(row) ? before! : row)),
    await readProviders()
  )
}

loadWithConfiguration(loadSettings)

const versionsOf = (of: { version: string }[]) => of.map(({ version }) => version).join()

function applyRows(newRows: SettingRow[], newProviders: ProviderRow[]) {
  const isSame =
    versionsOf(rows) === versionsOf(newRows) && versionsOf(providers) === versionsOf(newProviders)
  if (isSame) return
  rows = newRows
  providers = newProviders
  stored = effective(newRows)
  for (const refresh of listeners) refresh()
}

function effective(of: SettingRow[]) {
  const values = new Map<string, unknown>()
  for (const row of of) {
    const { key } = row
    if (!isWritableSetting(key) || isLocked(key) || isSecretSetting(key)) continue
    const value = key === 'BRAND_LOGO' ? key : storedValue(key, row.value)
    if (value !== undefined) values.set(key, value)
  }
  const { mailer, password } = (server = mailServerOf(of))
  values.set('MAIL_MAILER', mailer)
  if (!isInEnv('SMTP_PASSWORD')) values.set('SMTP_PASSWORD', password)
  return values
}

/**
 * The thief of a session must not have another administrator's reset mailed to the thief's server.
 * @returns for a day, the time at which a working mail server was changed; null otherwise
 */
export function mailServerTrialSince(now = Date.now()): number | null {
  const changed = rows.find(({ key }) => key === MAIL_SERVER_CHANGED)
  return changed && now - changed.updatedAt < config.mailServerTrialMs ? changed.updatedAt : null
}
