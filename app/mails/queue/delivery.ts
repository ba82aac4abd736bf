import db from '@adonisjs/lucid/services/db'
import mail from '@adonisjs/mail/services/main'
import { countMail } from '#auth/lockout/mail_budget'
import { composeMessage, type MailMessage } from '#mails/templates/message'
import { hasRecipient } from '#mails/recipient'
import { mailFileName } from '#mails/log/mail_file'
import { findMail } from '#mails/log/mail_log'
import { count } from '#telemetry/counters'
import { inSpan } from '#telemetry/spans'
import { retryDeferredMails } from './delivery_problem.ts'
import { removeMailFiles } from '#mails/log/remove_files'
import { TEMPLATES } from '#mails/templates/templates'
import type { FileTransportOptions } from '#mails/file_transport'
import type { MailRow } from '#mails/mail_row'
import { recordFailure, isPermanent, discard } from './failed_delivery.ts'

/**
 * Mails are queued for unknown addresses too: unwanted ones are deleted, so that no list shows
 * them. So are mails beyond the limit, before their link replaces an earlier one.
 * @throws the error of the delivery if another try may succeed
 */
export async function deliverMail(mailId: string, { isLastTry }: { isLastTry: boolean }) {
  const row: MailRow | null = await db.from('mails').where({ id: mailId, status: 'queued' }).first()
  if (!row) return
  return inSpan('mail', () => deliverRow(row, { isLastTry }), { 'gatehouse.kind': row.kind })
}

async function deliverRow(row: MailRow, { isLastTry }: { isLastTry: boolean }) {
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

/** Counts a mail once for all tries. One without a recipient must not use up the limit. */
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
    { fileName: mailFileName(row) } satisfies FileTransportOptions as never
  )
}

/** The contents of a sent mail are personal data, and so is a file without a row. */
async function markSent(row: MailRow) {
  count('gatehouse_mails_total', { outcome: 'sent' })
  if (TEMPLATES[row.kind].outlivesUser) return discard(row)
  const { id } = row
  const sent = await db
    .from('mails')
    .where({ id, status: 'queued' })
    .increment('attempts', 1)
    .update({ status: 'sent', sent_at: Date.now(), payload: null, last_error: null })
  if (Number(sent) === 0 && !(await findMail(id))) await removeMailFiles([row])
}
