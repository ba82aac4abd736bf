import { Job } from '@adonisjs/queue'
import { CLIENT_QUEUE } from '#config/queue'
import { inTransaction } from '#queue/in_transaction'
import { retryOptions } from '#queue/retry_options'
import { wakeWorker } from '#queue/workers'
import { hasGrants } from '#oidc/records/grant_rows'
import { endLostAccess, type EndOfAccess } from './end_lost_access.ts'
import type { Transaction } from '#database/transaction'

export const RETRIES = {
  max: Number.MAX_SAFE_INTEGER,
  firstDelayMs: 2_000,
  longestDelayMs: 600_000,
}

export default class EndAccess extends Job<EndOfAccess> {
  static options = { name: 'EndAccess', queue: CLIENT_QUEUE, ...retryOptions(RETRIES) }

  execute() {
    return endLostAccess(this.payload)
  }
}

/**
 * Many sessions end in batches, after the change. An unused client queues nothing. The caller has
 * locked the row of the client, so that a session that begins now waits for the change.
 */
export async function queueEndOfAccess(end: EndOfAccess, trx: Transaction) {
  if (!(await hasGrants(end.clientId, trx))) return
  const job = EndAccess.dispatch(end).toQueue(CLIENT_QUEUE)
  await job.with(inTransaction(trx)).run()
  trx.after('commit', () => wakeWorker(CLIENT_QUEUE))
}
