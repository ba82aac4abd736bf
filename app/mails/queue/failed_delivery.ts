import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import { count } from '#telemetry/counters'
import { TEMPLATES } from '#mails/templates/templates'
import type { MailRow } from '#mails/mail_row'

interface Failure {
  isFinal: boolean
  /** False if the counter failed: the next try counts the mail. */
  isCounted: boolean
}

/** The message of a mail server names the recipient: it stays in the table, and out of the log. */
export async function recordFailure(
  row: MailRow,
  error: Error & SmtpError,
  { isFinal, isCounted }: Failure
) {
  const { id, kind } = row
  count('gatehouse_mails_total', { outcome: isFinal ? 'failed' : 'deferred' })
  if (isFinal && TEMPLATES[kind].outlivesUser) await discard(row)
  else await storeFailure(row, error, { isFinal, isCounted })
  const { code, command, responseCode } = error
  const answer = { code: code ?? error.name, command, responseCode }
  logger.warn({ mailId: id, kind, isFinal, ...answer }, 'a mail was not delivered')
  if (!isFinal) throw error
}

async function storeFailure({ id }: MailRow, { message }: Error, { isFinal, isCounted }: Failure) {
  await db
    .from('mails')
    .where({ id, status: 'queued' })
    .increment('attempts', isCounted ? 1 : 0)
    .update({ status: isFinal ? 'failed' : 'queued', last_error: message.slice(0, 500) })
}

/**
 * 5yz is final (RFC 5321, section 4.2.1), but a refused login, greeting or sender can be corrected.
 */
export function isPermanent({ code, command, responseCode = 0 }: SmtpError) {
  const isMailRefused = code === 'EENVELOPE' || code === 'EMESSAGE'
  return isMailRefused && responseCode >= 500 && command !== 'MAIL FROM'
}

interface SmtpError {
  code?: string
  command?: string
  responseCode?: number
}

export async function discard({ id }: MailRow) {
  await db.from('mails').where({ id, status: 'queued' }).delete()
}
