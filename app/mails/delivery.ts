import db from '@adonisjs/lucid/services/db'
import mail from '@adonisjs/mail/services/main'
import logger from '@adonisjs/core/services/logger'
import type { FileTransportOptions } from './file_transport.ts'
import { composeMessage, type MailMessage, type MailRow } from './message.ts'

/**
 * Delivers a queued mail. One whose addressee is gone, or no longer needs it, leaves no
 * trace: mails are also queued for addresses that nobody has, so that asking for one tells
 * nothing.
 *
 * @throws what went wrong, when another try may succeed
 */
export async function deliverMail(mailId: string, { isLastTry }: { isLastTry: boolean }) {
  const row: MailRow | null = await db.from('mails').where({ id: mailId, status: 'queued' }).first()
  if (!row) return
  try {
    const message = await composeMessage(row)
    if (!message) return await discard(row)
    await send(message)
  } catch (error) {
    return recordFailure(row, error, isLastTry || isPermanent(error))
  }
  await markSent(row)
}

/** Names the same message at every try, so that a receiver can tell a repetition. */
function send({ row, recipient, subject, views, data, messageId }: MailMessage) {
  return mail.use().send(
    (message) => {
      message
        .to(recipient)
        .subject(subject)
        .messageId(messageId)
        .header('Auto-Submitted', 'auto-generated')
        .header('X-Auto-Response-Suppress', 'All')
        .htmlView(views.html, data)
        .textView(views.text, data)
    },
    { fileName: fileName(row) } satisfies FileTransportOptions as any
  )
}

/** Sorts by time and says what it is. */
function fileName({ id, kind, created_at: createdAt }: MailRow) {
  const time = new Date(Number(createdAt)).toISOString().replace(/[:.]/g, '-')
  return `${time}_${kind}_${id}.eml`
}

/** What the mail told is forgotten once it is told. */
async function markSent({ id }: MailRow) {
  await db
    .from('mails')
    .where({ id, status: 'queued' })
    .increment('attempts', 1)
    .update({ status: 'sent', sent_at: Date.now(), payload: null, last_error: null })
}

async function discard({ id }: MailRow) {
  await db.from('mails').where({ id, status: 'queued' }).delete()
}

async function recordFailure({ id, kind }: MailRow, error: Error, isFinal: boolean) {
  await db
    .from('mails')
    .where({ id, status: 'queued' })
    .increment('attempts', 1)
    .update({ status: isFinal ? 'failed' : 'queued', last_error: error.message.slice(0, 500) })
  logger.warn({ mailId: id, kind, isFinal, reason: error.message }, 'a mail was not delivered')
  if (!isFinal) throw error
}

/**
 * Whether the server refused this very mail for good (RFC 5321, section 4.2.1: 5yz). A
 * refused login or greeting is about the server, and may be mended.
 */
function isPermanent(error: { code?: string; responseCode?: number }) {
  const isAboutMail = error.code === 'EENVELOPE' || error.code === 'EMESSAGE'
  return isAboutMail && (error.responseCode ?? 0) >= 500
}
