import { Job } from '@adonisjs/queue'
import { CLIENT_QUEUE } from '#config/queue'
import { inTransaction } from '#queue/in_transaction'
import { retryOptions } from '#queue/retry_options'
import { wakeWorker } from '#queue/workers'
import { RETRIES } from './end_access_job.ts'
import { CLIENTS, forgetGroup, forgetSome } from './forget_group.ts'
import type { Transaction } from '#database/transaction'

export default class ForgetGroup extends Job<{ groupId: string }> {
  static options = { name: 'ForgetGroup', queue: CLIENT_QUEUE, ...retryOptions(RETRIES) }

  async execute() {
    await forgetGroup(this.payload.groupId)
  }
}

/** Forgets the group in the transaction of its deletion, unless many clients name the group. */
export async function beginForgetting(groupId: string, trx: Transaction) {
  if ((await forgetSome(groupId, CLIENTS, trx)) < CLIENTS) return
  const job = ForgetGroup.dispatch({ groupId }).toQueue(CLIENT_QUEUE)
  await job.with(inTransaction(trx)).run()
  trx.after('commit', () => wakeWorker(CLIENT_QUEUE))
}
