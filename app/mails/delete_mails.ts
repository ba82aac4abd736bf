import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import db from '@adonisjs/lucid/services/db'
import { mailFilesDir } from '#config/mail'
import { mailFileName, writesMailFiles, type NamedMail } from './mail_file.ts'
import type { Transaction } from '#database/transaction'
import type { TemplateName } from './templates.ts'

/** Long enough to answer “was a mail sent?”; recipients are personal data and not kept longer. */
const SENT_RETENTION_MS = 30 * 24 * 3_600_000

/** Deletes mails that were sent long ago, and returns their number. */
export async function pruneMails(now = Date.now()) {
  const old = db
    .from('mails')
    .where('status', 'sent')
    .where('sent_at', '<', now - SENT_RETENTION_MS)
  return Number(await old.delete())
}

/**
 * Deletes the mails to a user who is deleted, queued ones too, and the files that they were
 * written to: nothing may hold their address any longer.
 */
export async function deleteMailsOf(user: { id: string; email: string }, trx: Transaction) {
  const theirs = () => trx.from('mails').where('user_id', user.id).orWhere('recipient', user.email)
  const mails: NamedMail[] = await theirs().select('id', 'kind', 'created_at')
  await theirs().delete()
  if (writesMailFiles) trx.after('commit', () => removeFiles(mails.map(mailFileName)))
}

async function removeFiles(names: string[]) {
  await Promise.all(names.map((name) => rm(join(mailFilesDir, name), { force: true })))
}

/**
 * Deletes the mails of a kind to a user that were queued after another one and not sent.
 * Delete them before their tokens: a mail that is just being composed locks its row.
 */
export async function deleteMailsAfter(
  mailId: string,
  { userId, kind }: { userId: string; kind: TemplateName },
  trx: Transaction
) {
  const mails = trx.from('mails').where({ user_id: userId, kind }).where('id', '>', mailId)
  await mails.whereNot('status', 'sent').delete()
}
