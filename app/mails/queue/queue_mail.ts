import { randomInt } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import encryption from '@adonisjs/core/services/encryption'
import DeliverMail from './deliver_mail_job.ts'
import { MAIL_QUEUE } from '#config/queue'
import { inTransaction } from '#queue/in_transaction'
import { wakeWorker } from '#queue/worker'
import { findPreviousAddresses } from './previous_addresses.ts'
import { isAcceptable } from '#mails/recipient'
import { TEMPLATES } from '#mails/templates/templates'
import type { MailBudget } from '#auth/lockout/mail_budget'
import type { Transaction } from '#database/transaction'
import type { TemplateName } from '#mails/templates/contents'
import type { RemovedMethods } from '#events/details'
import type { QueuedMail } from './queued_mail.ts'

/**
 * Queues a mail in the transaction of its cause: the mail is sent if and only if that commits.
 * Former addresses whose change can still be undone hear of what concerns the account.
 *
 * @returns its id, or null for a notice to an address that its user has not proved
 */
export async function queueMail<Kind extends TemplateName>(
  mail: QueuedMail<Kind>,
  trx: Transaction
) {
  if (TEMPLATES[mail.kind].notifiesPreviousAddresses) await notifyPreviousAddresses(mail, trx)
  return (await isAcceptable(mail, trx)) ? insertMail(mail, trx) : null
}

/** They hold a link to undo the change already, so that these mails need none. */
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

/** Writes the job in the same transaction, and wakes the worker of this process after the commit. */
export async function enqueueDelivery(mailId: string, trx: Transaction) {
  await DeliverMail.dispatch({ mailId }).toQueue(MAIL_QUEUE).with(inTransaction(trx)).run()
  trx.after('commit', wakeLater)
}

/**
 * Wakes the worker after a random delay. A mail for a known address takes more work than
 * one for an unknown address, and without the delay an attacker could tell the two apart
 * by how quickly the next request is answered.
 */
function wakeLater() {
  setTimeout(() => wakeWorker(MAIL_QUEUE), randomInt(50, 300)).unref()
}

/**
 * Queues a mail to an address without looking up its user. A request about an unknown
 * address so costs the same as one about a known address, and does not tell an attacker
 * which addresses are registered.
 */
function queueMailToAddress<Kind extends TemplateName>(
  mail: Omit<QueuedMail<Kind>, 'userId'>,
  trx: Transaction
) {
  return queueMail<Kind>({ ...mail, userId: null } as QueuedMail<Kind>, trx)
}

interface ResetMail {
  /** Who asked, for the audit trail; null where the caller records it. */
  from: { ip: string; userAgent: string | null } | null
  /** What a report has removed, for its mail to tell. */
  removed?: RemovedMethods
  /** Null for what nobody but the owner or an administrator can cause. */
  budget: MailBudget | null
}

/** Mails a link to set a new password. */
export function queuePasswordResetMail(
  recipient: string,
  { from, removed = {}, budget }: ResetMail,
  trx: Transaction
) {
  const contents = { from, removed }
  return queueMailToAddress({ kind: 'password_reset', recipient, contents, budget }, trx)
}

/** Tells the user with this address that they have an account: somebody signed up with it again. */
export function queueAccountExistsMail(recipient: string, trx: Transaction) {
  const mail = { kind: 'account_exists' as const, recipient, contents: {} }
  return queueMailToAddress({ ...mail, budget: 'registration' }, trx)
}

/**
 * Mails the link that verifies an address, unless the address is verified.
 *
 * @param budget null for what nobody but an administrator can cause: whoever registers the
 * address of another person has a session, and asks for such mails as its owner does
 */
export function queueVerificationMail(
  recipient: string,
  { budget }: { budget: MailBudget | null },
  trx: Transaction
) {
  return queueMailToAddress({ kind: 'email_verification', recipient, contents: {}, budget }, trx)
}
