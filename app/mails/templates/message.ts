import db from '@adonisjs/lucid/services/db'
import encryption from '@adonisjs/core/services/encryption'
import { appUrl } from '#config/app'
import { i18nFor } from '#i18n/locales'
import { plainText } from './format.ts'
import { issueAddressCode } from '#auth/address_codes/address_code_rows'
import { issueLink } from './link.ts'
import { textsOf } from './texts.ts'
import { findRecipient, isWanted } from '#mails/recipient'
import { mailToOwner } from './taken_address.ts'
import type { MailServer } from '#settings/values/mail_server'
import type User from '#models/user'
import type { MailContents, TemplateName } from './contents.ts'
import type { MailRow, Contents } from '#mails/mail_row'
import type { Transaction } from '#database/transaction'

export interface MailMessage {
  row: MailRow
  recipient: string
  messageId: string
  texts: ReturnType<typeof textsOf>
  /** The previous mail server, for a mail that tells of its change; null for the current one. */
  via: MailServer | null
}

interface Draft {
  row: MailRow
  user: User | null
  contents: Contents
}

/** Returns null if the mail no longer has a recipient. */
export async function composeMessage(row: MailRow): Promise<MailMessage | null> {
  const contents = readContents(row)
  return db.transaction(async (trx) => {
    if (!(await isQueued(row, trx))) return null
    const user = await findRecipient(row, trx)
    if (!isWanted(row, user)) return null
    const draft = (await mailToOwner(row, trx)) ?? { row, user, contents }
    const texts = await write(draft, trx)
    const via = 'via' in contents ? contents.via! : null
    return texts && { ...toMessage(row, texts), via }
  })
}

/** Returns null for a code that no page waits for. */
async function write({ row, user, contents }: Draft, trx: Transaction) {
  const hasLink = user && !('isTaken' in contents)
  const code = await codeOf(row, contents, trx)
  if (code === null) return null
  const link = hasLink ? await issueLink({ row, user, contents }, trx) : null
  const reader = 'locale' in contents ? contents : readerOf(user)
  const name = plainText(reader.name)
  return textsOf(i18nFor(reader.locale), { row, contents, name, link, code })
}

async function codeOf({ recipient }: MailRow, contents: Contents, trx: Transaction) {
  if (!('codeId' in contents)) return undefined
  return issueAddressCode({ id: contents.codeId!, email: recipient }, trx)
}

function readerOf(user: User | null) {
  return { name: user?.username, locale: user?.locale }
}

function toMessage(row: MailRow, texts: MailMessage['texts']) {
  const { id, recipient } = row
  return { row, recipient, messageId: `${id}@${new URL(appUrl).hostname}`, texts }
}

/** The lock orders this check and a withdrawal of the mail. */
async function isQueued({ id }: MailRow, trx: Transaction) {
  const row = await trx.from('mails').where({ id, status: 'queued' }).forUpdate().first()
  return Boolean(row)
}

/** @throws if APP_KEY no longer contains the key that encrypted the contents */
function readContents({ payload }: MailRow): Contents {
  const contents = payload && encryption.decrypt<MailContents[TemplateName]>(payload)
  if (!contents) throw new Error('The contents cannot be decrypted: APP_KEY lacks their key')
  return contents
}
