import db from '@adonisjs/lucid/services/db'
import { record } from '#events/record'
import { lockForChange } from '#auth/lock_for_change'
import { findActiveSession } from '#auth/sessions/active_session'
import { endSession } from '#auth/sessions/sessions'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { deleteConsent, type Consent } from '#oidc/consents/consents'
import { deleteGrant } from '#oidc/records/delete_grant_rows'
import { countGrants, selectGrants, selectSomeGrants } from '#oidc/records/grant_rows'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

/* A grant has the same id as a session. The end of this session ends all tokens of the grant. */

export async function endGrant(userId: string, grantId: string, trx?: Transaction) {
  const isEnded = await endSession(userId, grantId, trx)
  await deleteGrant(grantId, trx)
  return isEnded
}

/** Each grant is looked up in the store: more grants would delay a page by seconds. */
const MAX_COUNTED = 500

export async function countSessionsWith(clientId: string) {
  const grants = await selectSomeGrants(clientId, MAX_COUNTED + 1)
  if (grants.length > MAX_COUNTED) return { count: await countGrants(clientId), isExact: false }
  const found = grants.map(({ userId, grantId }) => findActiveSession(userId, grantId))
  const sessions = await Promise.all(found)
  return { count: sessions.filter(Boolean).length, isExact: true }
}

/** @returns the sessions that ended */
export async function endGrantsOf({ userId, clientId }: Consent, trx: Transaction) {
  const ended: string[] = []
  const grants = await selectGrants({ user_id: userId, client_id: clientId }, trx)
  for (const { grantId } of grants) {
    if (await endGrant(userId, grantId, trx)) ended.push(grantId)
  }
  return ended
}

/** @throws E_NOT_FOUND */
export async function revokeConsent(consent: Consent, actor: Actor) {
  return db.transaction(async (trx) => {
    const user = await lockForChange(consent.userId, actor, trx)
    const deleted = await deleteConsent(consent, trx)
    const { length: endedSessions } = await endGrantsOf(consent, trx)
    if (deleted === 0 && endedSessions === 0) throw new E_NOT_FOUND()
    const details = { clientId: consent.clientId, endedSessions }
    await record(trx, { type: 'application.withdrawn', user, actor, details })
    return endedSessions
  })
}
