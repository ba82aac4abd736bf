import db from '@adonisjs/lucid/services/db'
import mail from '@adonisjs/mail/services/main'
import logger from '@adonisjs/core/services/logger'
import { countMail } from '#auth/lockout/mail_budget'
import { composeMessage, type MailMessage } from '#mails/templates/message'
import { hasRecipient } from '#mails/recipient'
import { mailFileName } from '#mails/log/mail_file'
import { findMail } from '#mails/log/mail_log'
import { mailOutcomes } from './outcomes.ts'
import { retryDeferredMails } from './delivery_problem.ts'
import { removeMailFiles } from '#mails/log/remove_files'
import { TEMPLATES } from '#mails/templates/templates'
import type { FileTransportOptions } from '#mails/file_transport'
import type { MailRow } from '#mails/mail_row'

/**
 * Delivers a queued mail. A mail that no user should receive any more is deleted: mails
 * are also queued for unknown addresses, and must not stay in the list of an operator. So
 * is one beyond the limit of its recipient, before its link can replace an earlier one.
 *
 * @throws the error of the delivery, when another try may succeed
 */
export async function deliverMail(mailId: string, { isLastTry }: { isLastTry: boolean }) {
  const row: MailRow | null = await db.from('mails').where({ id: mailId, status: 'queued' }).first()
  if (!row) return
  try {
    if (!(await hasRecipient(row)) || !(await isCounted(row))) return await discard(row)
    const message = await composeMessage(row)
    if (!message) return await discard(row)
    await send(message)
  } catch (error) {
    return recordFailure(row, error, isLastTry || isPermanent(error))
  }
  await markSent(row)
  if (row.kind === 'test') await retryDeferredMails()
}

/**
 * Counts a mail once, however often its delivery is tried; false if it is one too many. Only
 * what somebody gets is counted: requests that mail nothing must not use up the limit.
 */
async function isCounted({ attempts, recipient, budget, user_id: sender }: MailRow) {
  return attempts > 0 || countMail({ recipient, budget, sender })
}

/** Every try has the same Message-ID, by which a receiver recognises a repetition. */
function send({ row, recipient, texts, messageId }: MailMessage) {
  return mail.use().send(
    (message) => {
      message
        .to(recipient)
        .subject(texts.subject)
        .messageId(messageId)
        .header('Auto-Submitted', 'auto-generated')
        .header('X-Auto-Response-Suppress', 'All')
        .htmlView('mails/message', texts)
        .text(texts.text)
    },
    { fileName: mailFileName(row) } satisfies FileTransportOptions as any
  )
}

/**
 * Deletes the contents of a sent mail: they are personal data and no longer needed. Where the row
 * went while the mail was written, such as with its user, the file goes, too. The file of a mail
 * that outlives its user is removed by the next sweep, so that somebody can read it until then.
 */
async function markSent(row: MailRow) {
  mailOutcomes.sent++
  if (TEMPLATES[row.kind].outlivesUser) return discard(row)
  const { id } = row
  const sent = await db
    .from('mails')
    .where({ id, status: 'queued' })
    .increment('attempts', 1)
    .update({ status: 'sent', sent_at: Date.now(), payload: null, last_error: null })
  if (Number(sent) === 0 && !(await findMail(id))) await removeMailFiles([row])
}

async function discard({ id }: MailRow) {
  await db.from('mails').where({ id, status: 'queued' }).delete()
}

async function recordFailure(row: MailRow, error: Error, isFinal: boolean) {
  const { id, kind } = row
  mailOutcomes[isFinal ? 'failed' : 'deferred']++
  if (isFinal && TEMPLATES[kind].outlivesUser) await discard(row)
  else await storeFailure(id, error, isFinal ? 'failed' : 'queued')
  logger.warn({ mailId: id, kind, isFinal, reason: error.message }, 'a mail was not delivered')
  if (!isFinal) throw error
}

async function storeFailure(id: string, { message }: Error, status: 'failed' | 'queued') {
  await db
    .from('mails')
    .where({ id, status: 'queued' })
    .increment('attempts', 1)
    .update({ status, last_error: message.slice(0, 500) })
}

/**
 * Whether the server refused this mail for good (RFC 5321, section 4.2.1: 5yz). A refused
 * login, greeting or sender is a fault of the configuration, which an operator can correct.
 */
function isPermanent({ code, command, responseCode = 0 }: SmtpError) {
  const isMailRefused = code === 'EENVELOPE' || code === 'EMESSAGE'
  return isMailRefused && responseCode >= 500 && command !== 'MAIL FROM'
}

interface SmtpError {
  code?: string
  command?: string
  responseCode?: number
}
