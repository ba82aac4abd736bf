import db from '@adonisjs/lucid/services/db'
import { inBatches } from '#database/batches'
import { removeMailFiles, sweepMailFiles } from './remove_files.ts'
import type { NamedMail } from './mail_file.ts'
import { LINK_KINDS, REPORT_KINDS, UNDO_KINDS } from '#mails/templates/kinds'
import type { Transaction } from '#database/transaction'

/** Long enough to answer “was a mail sent?”; recipients are personal data and not kept longer. */
export const MAIL_RETENTION_MS = 30 * 24 * 3_600_000

/**
 * Includes failed mails: attackers can register many addresses that refuse mail. @returns the count
 */
export async function pruneMails(now = Date.now()) {
  const removed = await inBatches(async (size) => {
    const mails = await findOldMails(now - MAIL_RETENTION_MS, size)
    const ids = mails.map(({ id }) => id)
    const old = () => db.from('mails').whereIn('id', ids)
    await old().whereNot('status', 'queued').delete()
    // A mail that is retried at this moment stays, and so does its file.
    const kept = await old().select('id')
    const isKept = (mail: NamedMail) => kept.some(({ id }) => id === mail.id)
    await removeMailFiles(mails.filter((mail) => !isKept(mail)))
    return mails.length
  })
  return removed + (await sweepMailFiles(now))
}

/** Each query follows an index: one condition for both would read all mails. */
async function findOldMails(before: number, size: number): Promise<NamedMail[]> {
  const sent = db.from('mails').where('sent_at', '<', before).orderBy('sent_at')
  const failed = db.from('mails').where('status', 'failed').where('created_at', '<', before)
  const old = []
  for (const mails of [sent, failed.orderBy('id')])
    old.push(...(await mails.limit(size - old.length).select('id', 'kind', 'created_at')))
  return old
}

/** Delete these mails before their tokens, because composing a mail locks its row first. */
export async function deleteUndoMailsAfter(mailId: string, userId: string, trx: Transaction) {
  const later = unsentTo(userId, trx).whereIn('kind', UNDO_KINDS).where('id', '>', mailId)
  await later.delete()
}

export async function deleteUnsentReports(
  { userId, besides, since }: { userId: string; besides: string; since: number },
  trx: Transaction
) {
  const reports = unsentTo(userId, trx).whereIn('kind', REPORT_KINDS)
  await reports.whereNot('recipient', besides).where('created_at', '>=', since).delete()
}

/** A retry would send a void link. Delete the mails before their tokens. */
export async function deleteUnsentLinks(userId: string, trx: Transaction) {
  await unsentTo(userId, trx).whereIn('kind', LINK_KINDS).delete()
}

function unsentTo(userId: string, trx: Transaction) {
  return trx.from('mails').where('user_id', userId).whereNot('status', 'sent')
}
