import db from '@adonisjs/lucid/services/db'
import { recordAudit } from '#audit/trail'
import { writesMailFiles } from './mail_file.ts'
import { queueMail } from './queue_mail.ts'
import type User from '#models/user'
import type { Actor } from '#audit/actor'

/** Mails an administrator that mail works, at their own address. */
export function sendTestMail({ id, email }: User, actor: Actor) {
  return db.transaction(async (trx) => {
    await queueMail({ kind: 'test', recipient: email, userId: id, contents: {} }, trx)
    await recordAudit({ action: 'mail.tested', actor, targetId: id }, trx)
  })
}

/** Whether a mail server has taken a test mail; one that became a file proves nothing. */
export async function hasTestedMail() {
  if (writesMailFiles) return false
  const sent = await db.from('mails').where({ kind: 'test', status: 'sent' }).select('id').first()
  return Boolean(sent)
}
