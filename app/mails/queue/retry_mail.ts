import db from '@adonisjs/lucid/services/db'
import { assertActive } from '#auth/lock_for_change'
import { throttleMailRetries } from '#auth/lockout/mail_budget'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { record } from '#events/record'
import { findMail } from '#mails/log/mail_log'
import { enqueueDelivery } from './queue_mail.ts'
import type { Actor } from '#audit/actor'

/**
 * Two concurrent requests send one mail: the update decides.
 * @returns false for a mail that had not failed
 * @throws E_NOT_FOUND, E_TOKEN_REVOKED, E_TOO_MANY_REQUESTS
 */
export async function retryMail(id: string, actor: Actor) {
  await throttleMailRetries(actor)
  const mail = await findMail(id)
  if (!mail) throw new E_NOT_FOUND(`No mail has the id ${id}`)
  return db.transaction(async (trx) => {
    await assertActive(actor, trx)
    const updated = await trx
      .from('mails')
      .where({ id, status: 'failed' })
      .update({ status: 'queued', attempts: 0, budget: null })
    if (Number(updated) !== 1) return false
    await enqueueDelivery(id, trx)
    const { kind, userId } = mail
    const user = userId === null ? null : { id: userId }
    await record(trx, { type: 'mail.retried', user, actor, details: { kind } })
    return true
  })
}
