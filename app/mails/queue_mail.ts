import { v7 as uuidv7 } from 'uuid'
import { KnexAdapter } from '@boringnode/queue/drivers/knex_adapter'
import encryption from '@adonisjs/core/services/encryption'
import DeliverMail from '#jobs/deliver_mail'
import { JOBS_TABLE, MAIL_QUEUE } from '#config/queue'
import { wakeMailWorker } from './mail_worker.ts'
import type { Transaction } from '#database/transaction'
import type { MailContents, TemplateName } from './templates.ts'

export interface QueuedMail<Kind extends TemplateName = TemplateName> {
  kind: Kind
  recipient: string
  /** Null while nobody has looked whose address it is. */
  userId: string | null
  contents: MailContents[Kind]
}

/** Queues a mail in the transaction of what it tells about: it is sent if and only if that happened. */
export async function queueMail<Kind extends TemplateName>(
  mail: QueuedMail<Kind>,
  trx: Transaction
) {
  const id = uuidv7()
  await trx.table('mails').insert({
    id,
    user_id: mail.userId,
    kind: mail.kind,
    recipient: mail.recipient,
    payload: encryption.encrypt(mail.contents),
    status: 'queued',
    attempts: 0,
    created_at: Date.now(),
  })
  await enqueueDelivery(id, trx)
  return id
}

/** Writes the job in the same transaction, and wakes the worker of this process once it holds. */
export async function enqueueDelivery(mailId: string, trx: Transaction) {
  const adapter = new KnexAdapter({ connection: trx.knexClient as any, tableName: JOBS_TABLE })
  await DeliverMail.dispatch({ mailId })
    .toQueue(MAIL_QUEUE)
    .with(() => adapter)
    .run()
  trx.after('commit', wakeMailWorker)
}
