import db from '@adonisjs/lucid/services/db'
import { countMail } from '#auth/lockout/mail_budget'
import { asOneRequest } from '#database/configuration_version'
import { composeMessage } from '#mails/templates/message'
import { hasRecipient } from '#mails/recipient'
import { findMail } from '#mails/log/mail_log'
import { sendMessage } from '#mails/send_message'
import { currentMailServer } from '#settings/values/current'
import { ensureSettings } from '#settings/values/ensure_settings'
import { count } from '#telemetry/counters'
import { inSpan } from '#telemetry/spans'
import { retryDeferredMails } from './delivery_problem.ts'
import { removeMailFiles } from '#mails/log/remove_files'
import { TEMPLATES } from '#mails/templates/templates'
import type { MailRow } from '#mails/mail_row'
import { recordFailure, isPermanent, discard } from './failed_delivery.ts'

/**
 * Mails are also queued for unknown addresses: unwanted ones are deleted, so that no list shows
 * them. So are mails beyond the limit, before their link replaces an earlier one.
 * @throws the error of the delivery if another try may succeed
 */
export function deliverMail(mailId: string, options: { isLastTry: boolean }) {
  return asOneRequest(async () => {
    await ensureSettings()
    return deliver(mailId, options)
  })
}

async function deliver(mailId: string, { isLastTry }: { isLastTry: boolean }) {
  const row: MailRow | null = await db.from('mails').where({ id: mailId, status: 'queued' }).first()
  if (!row) return
  return inSpan('mail', () => deliverRow(row, { isLastTry }), { 'gatehouse.kind': row.kind })
}

async function deliverRow(row: MailRow, { isLastTry }: { isLastTry: boolean }) {
  /** Read before the recipient is checked: a change in between must not send by a new server. */
  const server = currentMailServer()
  let isCounted = row.attempts > 0
  try {
    if (!(await hasRecipient(row))) return await discard(row)
    if (!isCounted && !(await isWithinLimits(row))) return await discard(row)
    isCounted = true
    const message = await composeMessage(row)
    if (!message) return await discard(row)
    await sendMessage(message, message.via ?? server)
  } catch (error) {
    const isFinal = isLastTry || isPermanent(error)
    return recordFailure(row, error, { isFinal, isCounted })
  }
  await markSent(row)
  if (row.kind === 'test') await retryDeferredMails()
}

/** Counts a mail one time for all tries. A mail without a recipient must not use up the limit. */
function isWithinLimits({ recipient, budget, user_id: sender }: MailRow) {
  return countMail({ recipient, budget, sender })
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
