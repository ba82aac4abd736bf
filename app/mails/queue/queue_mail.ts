import { randomInt } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import encryption from '@adonisjs/core/services/encryption'
import DeliverMail from './deliver_mail_job.ts'
import { MAIL_QUEUE } from '#config/queue'
import { inTransaction } from '#queue/in_transaction'
import { wakeWorker } from '#queue/workers'
import { findPreviousAddresses } from './previous_addresses.ts'
import { isAcceptable } from '#mails/recipient'
import { TEMPLATES } from '#mails/templates/templates'
import type { Transaction } from '#database/transaction'
import type { TemplateName } from '#mails/templates/contents'
import type { QueuedMail } from './queued_mail.ts'

/** @returns the id of the mail, or null for a notice to an address that its user has not proved */
export async function queueMail<Kind extends TemplateName>(
  mail: QueuedMail<Kind>,
  trx: Transaction
) {
  if (TEMPLATES[mail.kind].notifiesPreviousAddresses) await notifyPreviousAddresses(mail, trx)
  return (await isAcceptable(mail, trx)) ? insertMail(mail, trx) : null
}

/** These addresses already have a link to undo the change. */
async function notifyPreviousAddresses(
  { kind: event, userId, recipient: current }: QueuedMail,
  trx: Transaction
) {
  const recipients = userId === null ? [] : await findPreviousAddresses(userId, current, trx)
  for (const recipient of recipients) {
    await insertMail({ kind: 'former_address', recipient, userId, contents: { event } }, trx)
  }
}

async function insertMail<Kind extends TemplateName>(mail: QueuedMail<Kind>, trx: Transaction) {
  const id = uuidv7()
  await trx.table('mails').insert({
    id,
    user_id: TEMPLATES[mail.kind].outlivesUser ? null : mail.userId,
    kind: mail.kind,
    recipient: mail.recipient,
    payload: encryption.encrypt(mail.contents),
    budget: mail.budget ?? TEMPLATES[mail.kind].budget ?? null,
    status: 'queued',
    attempts: 0,
    created_at: Date.now(),
  })
  await enqueueDelivery(id, trx)
  return id
}

export async function enqueueDelivery(mailId: string, trx: Transaction) {
  await DeliverMail.dispatch({ mailId }).toQueue(MAIL_QUEUE).with(inTransaction(trx)).run()
  trx.after('commit', wakeLater)
}

/** Hides how long the mail of a known address takes: an attacker could time the next request. */
function wakeLater() {
  setTimeout(() => wakeWorker(MAIL_QUEUE), randomInt(50, 300)).unref()
}

/** Looks up no user: an attacker could learn from the time of an answer which addresses exist. */
export function queueMailToAddress<Kind extends TemplateName>(
  mail: Omit<QueuedMail<Kind>, 'userId'>,
  trx: Transaction
) {
  return queueMail<Kind>({ ...mail, userId: null } as QueuedMail<Kind>, trx)
}
