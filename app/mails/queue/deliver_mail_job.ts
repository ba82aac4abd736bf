import { Job } from '@adonisjs/queue'
import { retries } from '#config/mail'
import { MAIL_QUEUE } from '#config/queue'
import { deliverMail } from './delivery.ts'
import { retryOptions } from '#queue/retry_options'

/** A thrown failure may be temporary: the queue tries again. */
export default class DeliverMail extends Job<{ mailId: string }> {
  static options = { name: 'DeliverMail', queue: MAIL_QUEUE, ...retryOptions(retries) }

  execute() {
    const isLastTry = this.context.attempt > retries.max
    return deliverMail(this.payload.mailId, { isLastTry })
  }
}
