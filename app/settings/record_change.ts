import limits from '#config/limits'
import { mailedAdministrators } from '#auth/administrators'
import { record } from '#events/record'
import { isSecretSetting, shownStored, type WritableSetting } from '#settings/values/definitions'
import { noteServerChange, type By } from './note_server_change.ts'
import type { MailServer } from '#settings/values/mail_server'
import type { SettingRow } from '#settings/values/setting_rows'
import type { Addressee, SettingsChange } from '#events/details'
import type { Transaction } from '#database/transaction'

interface Changed {
  keys: WritableSetting[]
  before: SettingRow[]
  after: SettingRow[]
}

/** Settings that only change how the product looks need no mail. */
const WITHOUT_MAIL = /^BRAND_/

export async function recordSettings({ keys, before, after }: Changed, by: By) {
  const pairs = keys.map((key) => [key, changeOf(key, before, after)])
  const via = await noteServerChange(before, after, by)
  const mailed = keys.filter((key) => !WITHOUT_MAIL.test(key))
  await recordChange(Object.fromEntries(pairs), { mailed, via, ...by })
}

/** The trail keeps no secret, and no picture. */
function changeOf(key: WritableSetting, before: SettingRow[], after: SettingRow[]) {
  if (isSecretSetting(key) || key === 'BRAND_LOGO') return 'changed'
  const [old, current] = [before, after].map((rows) => rows.find((row) => row.key === key)?.value)
  return { before: shownStored(key, old), after: shownStored(key, current) }
}

interface Told extends By {
  /** Names of the settings that the mails list. Without names, no mail is sent. */
  mailed: string[]
  via: MailServer | null
}

export async function recordChange(details: SettingsChange, { mailed, via, actor, trx }: Told) {
  const recipients = mailed.length > 0 ? await findAdmins(trx) : []
  const context = { recipients, names: mailed, via }
  await record(trx, { type: 'settings.changed', user: null, actor, details, context })
}

export function findAdmins(trx: Transaction): Promise<Addressee[]> {
  return mailedAdministrators(trx, limits.settingsMailRecipients)
}
