import type { Env } from '@adonisjs/core/env'
import config from '#config/settings'
import env from '#start/env'
import { loadWithConfiguration } from '#database/configuration_version'
import {
  isGiven,
  isLocked,
  isSecretSetting,
  isWritableSetting,
  storedValue,
  type SettingName,
} from './definitions.ts'
import { mailServerOf, type MailServer } from './mail_server.ts'
import { readProviders, type ProviderRow } from './provider_rows.ts'
import { MAIL_SERVER_CHANGED, readSettings, type SettingRow } from './setting_rows.ts'

/* What the environment and the console say together, in memory under the configuration version. */

type Values = typeof env extends Env<infer Known> ? Known : never

let rows: SettingRow[] = []
let providers: ProviderRow[] = []
let stored = new Map<string, unknown>()
let server: MailServer | undefined
const listeners: (() => void)[] = []

/** Called when stored settings have changed, and not for other changes of the configuration. */
export function onSettingsChange(refresh: () => void) {
  listeners.push(refresh)
}

/** The effective value, at the request that has read the configuration version. */
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

/** Not where no rule takes the stored text any more. */
export const isStoredUsed = (name: SettingName) => stored.has(name)

/** Without a look at the version, for a command: it lives shorter than a request may. */
export async function loadSettings() {
  const before = rows.find(({ key }) => key === 'BRAND_LOGO')
  const read = await readSettings(before?.version)
  const isKnown = (row: SettingRow) => row.key === 'BRAND_LOGO' && row.value === ''
  become(
    read.map((row) => (isKnown(row) ? before! : row)),
    await readProviders()
  )
}

loadWithConfiguration(loadSettings)

const versionsOf = (of: { version: string }[]) => of.map(({ version }) => version).join()

function become(newRows: SettingRow[], newProviders: ProviderRow[]) {
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
  if (!isGiven('SMTP_PASSWORD')) values.set('SMTP_PASSWORD', password)
  return values
}

/**
 * Who steals a session must not have a reset of another administrator mailed to a server of their
 * own. @returns when a mail server that worked was changed, for a day; null otherwise
 */
export function mailServerTrialSince(now = Date.now()): number | null {
  const changed = rows.find(({ key }) => key === MAIL_SERVER_CHANGED)
  return changed && now - changed.updatedAt < config.mailServerTrialMs ? changed.updatedAt : null
}
