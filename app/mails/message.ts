import db from '@adonisjs/lucid/services/db'
import encryption from '@adonisjs/core/services/encryption'
import User from '#models/user'
import { appUrl } from '#config/app'
import { issueOneTimeToken, ONE_TIME_TTL_MS } from '#auth/tokens/one_time_tokens'
import { recordAudit } from '#audit/trail'
import { anonymousActor } from '#audit/actor'
import { TEMPLATES, type MailContents, type TemplateName } from './templates.ts'
import { plainText, formatDuration, formatTime } from './format.ts'
import type { Transaction } from '#database/transaction'

/** A row of `mails`. */
export interface MailRow {
  id: string
  user_id: string | null
  kind: TemplateName
  recipient: string
  payload: string | null
  attempts: number
  created_at: number | string
}

/** A mail in words, ready to be sent. */
export interface MailMessage {
  row: MailRow
  recipient: string
  subject: string
  messageId: string
  views: { html: string; text: string }
  data: Record<string, unknown>
}

/** Puts a queued mail into words; null when there is nobody whom it should reach. */
export async function composeMessage(row: MailRow): Promise<MailMessage | null> {
  const contents = readContents(row)
  return db.transaction(async (trx) => {
    const user = await findAddressee(row, trx)
    if (!isWanted(row.kind, user)) return null
    const link = user ? await issueLink(row, user, contents, trx) : {}
    return {
      row,
      recipient: row.recipient,
      subject: TEMPLATES[row.kind].subject,
      messageId: `${row.id}@${new URL(appUrl).hostname}`,
      views: { html: `mails/${row.kind}`, text: `mails/${row.kind}_text` },
      data: {
        subject: TEMPLATES[row.kind].subject,
        name: plainText(user?.username),
        recipient: row.recipient,
        appUrl,
        ...readable(contents),
        ...link,
      },
    }
  })
}

/** @throws when the key that the contents were encrypted with is gone */
function readContents({ payload }: MailRow): Partial<MailContents[TemplateName]> {
  const contents = payload && encryption.decrypt<MailContents[TemplateName]>(payload)
  if (!contents) throw new Error('The contents cannot be decrypted: APP_KEY lacks their key')
  return contents
}

/** The user that is meant; from then on the mail belongs to it. */
async function findAddressee({ id, kind, user_id: userId, recipient }: MailRow, trx: Transaction) {
  if (!TEMPLATES[kind].isForAddress) {
    return userId ? User.find(userId, { client: trx }) : null
  }
  const user = await User.findBy('email', recipient, { client: trx })
  if (user && !userId) await trx.from('mails').where('id', id).update({ user_id: user.id })
  return user
}

/** A link must not outlive its reason: the user as it is now decides. */
function isWanted(kind: TemplateName, user: User | null) {
  if (!TEMPLATES[kind].isForAddress) return true
  if (!user) return false
  switch (kind) {
    case 'password_reset':
      return !user.isDisabled
    case 'email_verification':
      return !user.isDisabled && !user.isEmailVerified
    case 'invitation':
      return !user.isDisabled && !user.password
    default:
      return true
  }
}

/** The address for the button, from `APP_URL` and nothing that a request said. */
async function issueLink(
  row: MailRow,
  user: User,
  contents: Partial<MailContents[TemplateName]>,
  trx: Transaction
) {
  const { link } = TEMPLATES[row.kind]
  if (!link) return {}
  const sessionId = 'sessionId' in contents ? contents.sessionId : undefined
  /** What a mail to a former address allows is not what one to the present address does. */
  const addressee = { id: user.id, email: row.recipient }
  const token = await issueOneTimeToken(addressee, { purpose: link.purpose, sessionId }, trx)
  if ('from' in contents && contents.from && row.attempts === 0) {
    const actor = anonymousActor(contents.from)
    await recordAudit({ action: 'password.reset_requested', actor, targetId: user.id }, trx)
  }
  return {
    link: `${appUrl}${link.page}?token=${token}`,
    validFor: formatDuration(ONE_TIME_TTL_MS[link.purpose]),
  }
}

/** What a mail tells as people write it. */
function readable(contents: object) {
  return Object.fromEntries(
    Object.entries(contents).map(([key, value]) => [key, written(key, value)])
  )
}

function written(key: string, value: string) {
  if (key === 'deviceName') return plainText(value) ?? 'an unknown device'
  return /(At|Until)$/.test(key) ? formatTime(value) : value
}
