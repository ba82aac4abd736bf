import { randomUUID } from 'node:crypto'
import { LOGOUT_QUEUE } from '#config/queue'
import SendLogoutToken from './logout_job.ts'
import { selectLogoutReceivers } from '#oidc/clients/client_rows'
import { inTransaction } from '#queue/in_transaction'
import { wakeWorker } from '#queue/workers'
import type { RecordedEvent } from '#events/record'
import type { Transaction } from '#database/transaction'
import type { LogoutMessage } from './logout_token.ts'

export async function queueLogouts(
  { user: { id: userId }, context: { sessions } }: RecordedEvent<'client_sessions.ended'>,
  trx: Transaction
) {
  const clientIds = sessions.map(({ clientId }) => clientId)
  const receivers = await selectLogoutReceivers({ userId, clientIds }, trx)
  for (const { id: sessionId, clientId } of sessions) {
    const receiver = receivers.get(clientId)
    if (receiver) await queue({ id: randomUUID(), clientId, userId, sessionId, ...receiver }, trx)
  }
}

async function queue(message: LogoutMessage, trx: Transaction) {
  const job = SendLogoutToken.dispatch(message).toQueue(LOGOUT_QUEUE).group(message.clientId)
  await job.with(inTransaction(trx)).run()
  trx.after('commit', () => wakeWorker(LOGOUT_QUEUE))
}
