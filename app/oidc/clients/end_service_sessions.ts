import { lockUserRow } from '#auth/store/database/lock_user_row'
import { endSession, listSessions } from '#auth/sessions/sessions'
import type { OAuthClient } from './client.ts'
import type { Transaction } from '#database/transaction'

/** Locks the account after the client has changed, so that no concurrent session is missed. */
export async function endServiceSessions(
  { clientId, serviceAccountId }: Pick<OAuthClient, 'clientId' | 'serviceAccountId'>,
  trx: Transaction
) {
  if (serviceAccountId === null) return 0
  await lockUserRow(serviceAccountId, trx)
  const sessions = await listSessions(serviceAccountId, trx)
  const ofClient = sessions.filter((session) => session.clientId === clientId)
  for (const { id } of ofClient) await endSession(serviceAccountId, id, trx)
  return ofClient.length
}
