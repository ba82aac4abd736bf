import { appUrl } from '#config/app'
import { anonymousActor } from '#audit/actor'
import { record } from '#events/record'
import { ONE_TIME_TTL_MS, type OneTimePurpose } from '#auth/tokens/one_time_purposes'
import { issueOneTimeToken } from '#auth/tokens/issue_one_time_token'
import { TEMPLATES } from './templates.ts'
import type { Contents, MailRow } from '#mails/mail_row'
import type User from '#models/user'
import type { Transaction } from '#database/transaction'

interface LinkOptions {
  row: MailRow
  user: User
  contents: Contents
}

/** Starts with `APP_URL`: a forged Host header would send the token to the attacker's server. */
export async function issueLink({ row, user, contents }: LinkOptions, trx: Transaction) {
  const { link } = TEMPLATES[row.kind]
  if (!link) return null
  const fingerprint = fingerprintOf(contents)
  /** The token records its address: a link to a previous address must not verify the present one. */
  const recipient = { id: user.id, email: row.recipient }
  const expiresAt = expiryOf(link.purpose, user)
  const mail = { mailId: row.id, causedAt: causeOf(row, contents), expiresAt }
  const subject = { purpose: link.purpose, fingerprint, ...mail }
  const token = await issueOneTimeToken(recipient, subject, trx)
  await recordRequest({ row, user, contents }, trx)
  return { link: `${appUrl}${link.page}?token=${token}`, validFor: expiresAt - Date.now() }
}

/** A newer link replaces the earlier one of the same device or sign-in. */
function fingerprintOf(contents: Contents) {
  if ('codeId' in contents) return contents.codeId
  return 'fingerprint' in contents ? contents.fingerprint : undefined
}

/** A report undoes what was added since this time. */
function causeOf(row: MailRow, contents: Contents) {
  if ('askedAt' in contents) return Date.parse(contents.askedAt!)
  return 'signedInAt' in contents ? Date.parse(contents.signedInAt!) : Number(row.created_at)
}

/** A link to a pending address ends with it, however late it is mailed. */
function expiryOf(purpose: OneTimePurpose, user: User) {
  if (purpose === 'email_change') return user.pendingEmailLapsesAt
  return Date.now() + ONE_TIME_TTL_MS[purpose]
}

/** Records the request one time, however often the delivery is tried. */
async function recordRequest({ row, user, contents }: LinkOptions, trx: Transaction) {
  if (!('from' in contents) || !contents.from || row.attempts > 0) return
  const actor = anonymousActor(contents.from)
  await record(trx, { type: 'password.reset_requested', user, actor, context: { isMailed: true } })
}
