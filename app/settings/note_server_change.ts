import { MAIL_RETENTION_MS } from '#mails/log/delete_mails'
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
import type { Transaction } from '#database/transaction'

export interface By {
  actor: Actor
  trx: Transaction
}

/** @returns the previous server, which sends the mails about the change; null without a change */
export async function noteServerChange(before: SettingRow[], after: SettingRow[], by: By) {
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
 * Returns true if the server has sent a mail, or was in use for longer than mails are kept. Setting
 * rows do not tell since when it is in use: a row may repeat a default.
 */
async function hasWorked({ mailer }: MailServer, rows: SettingRow[], trx: Transaction) {
  if (mailer === 'outbox') return false
  const since = rows.find(({ key }) => key === MAIL_SERVER_SINCE)?.updatedAt
  /** Only a sent mail has a time. Mails about settings may have been sent by an earlier server. */
  const sent = trx
    .from('mails')
    .where('sent_at', '>=', since ?? 0)
    .whereNot('kind', 'settings_changed')
  if (await sent.select('id').first()) return true
  return (since ?? (await firstUserAt(trx))) < Date.now() - MAIL_RETENTION_MS
}

/** A server of the environment counts as in use since the first user was created. */
async function firstUserAt(trx: Transaction) {
  const first = await trx.from('users').orderBy('created_at').select('created_at').first()
  return first ? Number(first.created_at) : Date.now()
}
