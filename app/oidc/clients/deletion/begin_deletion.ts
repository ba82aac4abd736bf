import logger from '@adonisjs/core/services/logger'
import { CLIENT_QUEUE } from '#config/queue'
import { noteDeletedClient } from '#auth/tokens/deleted_clients'
import DeleteClient from './deletion_job.ts'
import { countGrants } from '#oidc/records/grant_rows'
import { inTransaction } from '#queue/in_transaction'
import { wakeWorker } from '#queue/worker'
import { endFirstSessions } from './finish_deletion.ts'
import type { Transaction } from '#database/transaction'

/*
 | The sessions and consents of a deleted client are many perhaps. The transaction of the
 | deletion notes the client, whose tokens are refused from then on; a job ends the rest.
 */

/** @returns how many sessions with the client will end */
export async function beginDeletion(
  client: { clientId: string; backchannelLogoutUri: string | null },
  trx: Transaction
) {
  const { clientId } = client
  await noteDeletedClient(client, trx)
  const job = DeleteClient.dispatch({ clientId }).toQueue(CLIENT_QUEUE)
  await job.with(inTransaction(trx)).run()
  trx.after('commit', () => wakeWorker(CLIENT_QUEUE))
  return countGrants(clientId, trx)
}

/** Ends the first sessions within the request: of most clients, all. What fails is left to the job. */
export async function continueDeletion(clientId: string) {
  try {
    await endFirstSessions(clientId)
  } catch (error) {
    logger.warn({ err: error, clientId }, 'the deletion of a client goes on in its job')
  }
}
