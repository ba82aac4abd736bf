import limits from '#config/limits'
import { mailedAdministrators } from '#auth/administrators'
import { record } from '#events/record'
import { MAIL_RETENTION_MS } from '#mails/log/delete_mails'
import { isSecretSetting, shownValue, type WritableSetting } from '#settings/values/definitions'
import {
  isSameServer,
  mailServerOf,
  serverName,
  type MailServer,
} from '#settings/values/mail_server'
import {
  MAIL_SERVER_CHANGED,
  MAIL_SERVER_SINCE,
  writeSetting,
  type SettingRow,
} from '#settings/values/setting_rows'
import type { Actor } from '#audit/actor'
import type { Addressee, SettingsChange } from '#events/details'
import type { Transaction } from '#database/transaction'

interface Changed {
  keys: WritableSetting[]
  before: SettingRow[]
  after: SettingRow[]
}

interface By {
  actor: Actor
  trx: Transaction
}

/** What says how the product looks needs no mail. */
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
  return { before: shownValue(key, old), after: shownValue(key, current) }
}

/** @returns the previous server, by which mails tell the change; null if it stays */
async function noteServerChange(before: SettingRow[], after: SettingRow[], by: By) {
  const [old, current] = [mailServerOf(before), mailServerOf(after)]
  const isSame = isSameServer(old, current)
  if (!isSame) {
    const name = serverName(old.host, old.port)
    if (await hasWorked(old, before, by.trx))
      await writeSetting(MAIL_SERVER_CHANGED, { value: name }, by)
    await writeSetting(MAIL_SERVER_SINCE, { value: serverName(current.host, current.port) }, by)
  }
  return isSame && old.from === current.from ? null : old
}

/**
 * Since it is used, a mail went out by it. Rows of settings do not tell since when: one may repeat
 * a default. Mails are deleted, so that a server which is used for longer counts as well.
 */
async function hasWorked({ mailer }: MailServer, rows: SettingRow[], trx: Transaction) {
  if (mailer === 'outbox') return false
  const since = rows.find(({ key }) => key === MAIL_SERVER_SINCE)?.updatedAt
  /** Mails about settings may have gone by an earlier server. */
  const sent = trx
    .from('mails')
    .where('status', 'sent')
    .where('sent_at', '>=', since ?? 0)
    .whereNot('kind', 'settings_changed')
  if (await sent.select('id').first()) return true
  return (since ?? (await firstUserAt(trx))) < Date.now() - MAIL_RETENTION_MS
}

/** A server of the environment is there as long as users are. */
async function firstUserAt(trx: Transaction) {
  const first = await trx.from('users').orderBy('created_at').select('created_at').first()
  return first ? Number(first.created_at) : Date.now()
}

interface Told extends By {
  /** The names that mails tell; none: no mail. */
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
