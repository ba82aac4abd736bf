import logger from '@adonisjs/core/services/logger'
import { CLIENT_QUEUE } from '#config/queue'
import { noteDeletedClient, type DeletedClient } from '#auth/tokens/deleted_clients'
import DeleteClient from './deletion_job.ts'
import { MOST_NAMED, noteEndedSessions } from '#events/ended_sessions'
import { countGrants, selectSomeGrants } from '#oidc/records/grant_rows'
import { inTransaction } from '#queue/in_transaction'
import { wakeWorker } from '#queue/workers'
import { endFirstSessions } from './finish_deletion.ts'
import type { Transaction } from '#database/transaction'

/* Tokens of a deleted client are refused immediately; a job ends its sessions and consents. */

export async function beginDeletion(client: DeletedClient, trx: Transaction) {
  const { clientId } = client
  await noteDeletedClient(client, trx)
  const job = DeleteClient.dispatch({ clientId }).toQueue(CLIENT_QUEUE)
  await job.with(inTransaction(trx)).run()
  trx.after('commit', () => wakeWorker(CLIENT_QUEUE))
  const grants = await selectSomeGrants(clientId, MOST_NAMED + 1, trx)
  const ids = grants.map(({ grantId }) => grantId)
  noteEndedSessions(ids, trx)
  return countGrants(clientId, trx)
}

/** Ends the first sessions, which is enough for most clients. The job repeats what fails. */
export async function continueDeletion(clientId: string) {
  try {
    await endFirstSessions(clientId)
  } catch (error) {
    logger.warn({ err: error, clientId }, 'the deletion of a client goes on in its job')
  }
}
