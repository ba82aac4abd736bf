import { lockUserRow } from '#auth/store/database/lock_user_row'
import { endSession, listSessions } from '#auth/sessions/sessions'
import { findActiveSession } from '#auth/sessions/active_session'
import { deleteGrant, selectGrants } from '#oidc/records/record_rows'
import type { OAuthClient } from '#oidc/clients/client'
import type { Transaction } from '#database/transaction'

/*
 | A grant is a session: it has the id of one, and is good while that is. Whoever ends the
 | session, on whatever page or process, has ended the grant and all its tokens.
 */

/** Ends a session that a person has with a client, and removes what was issued for it. */
export async function endGrant(userId: string, grantId: string, trx?: Transaction) {
  const isEnded = await endSession(userId, grantId, trx)
  await deleteGrant(grantId, trx)
  return isEnded
}

/** Each grant is looked up in the store: a page that counts more would take seconds. */
const COUNTED = 500

/** How many sessions people have with a client; of many, only how many there are at most. */
export async function countSessionsWith(clientId: string) {
  const grants = await selectGrants({ client_id: clientId })
  if (grants.length > COUNTED) return { count: grants.length, isExact: false }
  const found = grants.map(({ userId, grantId }) => findActiveSession(userId, grantId))
  const sessions = await Promise.all(found)
  return { count: sessions.filter(Boolean).length, isExact: true }
}

/** Ends the sessions that a user, whose row is locked, has with a client; their number. */
export async function endGrantsOf(userId: string, clientId: string, trx: Transaction) {
  let ended = 0
  const grants = await selectGrants({ user_id: userId, client_id: clientId }, trx)
  for (const { grantId } of grants) {
    if (await endGrant(userId, grantId, trx)) ended++
  }
  return ended
}

/**
 * Ends the session of a client with its service account: one that is no longer registered for
 * it acts for it no longer. The account is locked first, after the client was changed: a session
 * that is about to start (`service_sessions.ts`) ends too, or does not start.
 *
 * @returns how many sessions ended
 */
export async function endServiceSessions(
  { clientId, serviceAccountId }: Pick<OAuthClient, 'clientId' | 'serviceAccountId'>,
  trx: Transaction
) {
  if (serviceAccountId === null) return 0
  await lockUserRow(serviceAccountId, trx)
  const sessions = await listSessions(serviceAccountId, trx)
  const those = sessions.filter((session) => session.clientId === clientId)
  for (const { id } of those) await endSession(serviceAccountId, id, trx)
  return those.length
}
