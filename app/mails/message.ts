import db from '@adonisjs/lucid/services/db'
import encryption from '@adonisjs/core/services/encryption'
import { appUrl } from '#config/app'
import lockout from '#config/lockout'
import { i18nFor } from '#i18n/locales'
import { formatTime, maskEmail, plainText } from './format.ts'
import { issueLink } from './link.ts'
import { listRemoved } from './removed_ways_in.ts'
import { findRecipient, isWanted } from './recipient.ts'
import { TEMPLATES, type MailContents, type TemplateName } from './templates.ts'
import type { MailRow, Contents } from './mail_row.ts'
import type { Transaction } from '#database/transaction'

/** A message that is ready to be sent. */
export interface MailMessage {
  row: MailRow
  recipient: string
  subject: string
  messageId: string
  views: { html: string; text: string }
  data: Record<string, unknown>
}

/** Composes the message of a queued mail; null when no user should receive it any more. */
export async function composeMessage(row: MailRow): Promise<MailMessage | null> {
  const contents = readContents(row)
  return db.transaction(async (trx) => {
    if (!(await isQueued(row, trx))) return null
    const user = await findRecipient(row, trx)
    if (!isWanted(row, user)) return null
    const link = user ? await issueLink({ row, user, contents }, trx) : {}
    return toMessage(row, {
      name: plainText(user?.username),
      ...formatContents(contents),
      ...link,
    })
  })
}

function toMessage(row: MailRow, contents: Record<string, unknown>): MailMessage {
  const { id, kind, recipient } = row
  const { subject } = TEMPLATES[kind]
  return {
    row,
    recipient,
    subject,
    messageId: `${id}@${new URL(appUrl).hostname}`,
    views: { html: `mails/${kind}`, text: `mails/${kind}_text` },
    data: { subject, recipient, appUrl, hasKnownDevices: lockout.hasKnownDevices, ...contents },
  }
}

/** Locks the mail, so that none is composed that is withdrawn at this moment. */
async function isQueued({ id }: MailRow, trx: Transaction) {
  const row = await trx.from('mails').where({ id, status: 'queued' }).forUpdate().first()
  return Boolean(row)
}

/** @throws when APP_KEY no longer has the key with which the contents were encrypted */
function readContents({ payload }: MailRow): Contents {
  const contents = payload && encryption.decrypt<MailContents[TemplateName]>(payload)
  if (!contents) throw new Error('The contents cannot be decrypted: APP_KEY lacks their key')
  return contents
}

function formatContents(contents: object) {
  const entries = Object.entries(contents)
  return Object.fromEntries(entries.map(([name, value]) => [name, formatValue(name, value)]))
}

/** The service account that a mail is about, or the account of its reader. */
function accountTitle(serviceAccount: string) {
  if (!serviceAccount) return 'your account'
  const name = plainText(serviceAccount)
  return name ? `the service account “${name}”` : 'a service account'
}

function formatValue(name: string, value: any) {
  if (name === 'removed') return listRemoved(i18nFor('en'), value)
  if (name === 'event') return TEMPLATES[value as TemplateName].subject
  if (name === 'newEmail') return maskEmail(value)
  if (name === 'deviceName') return plainText(value) ?? 'an unknown device'
  if (name === 'keyName' || name === 'passkeyName') return plainText(value)
  if (name === 'account') return accountTitle(value)
  return /(At|Until)$/.test(name) ? formatTime(value) : value
}
