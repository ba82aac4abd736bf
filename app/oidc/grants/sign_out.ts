import db from '@adonisjs/lucid/services/db'
import { findActiveSession } from '#auth/sessions/active_session'
import { endSessionWithin } from '#auth/sessions/end_session'
import { endSession } from '#auth/sessions/sessions'
import store from '#auth/store/service'
import { record } from '#events/record'
import { moveGrants, selectGrantsOfBrowser, type BrowserGrant } from '#oidc/records/grant_rows'
import { endGrant } from './end_grants.ts'
import type { Actor } from '#audit/actor'
import type { SessionRecord } from '#auth/store/contract'
import type { Transaction } from '#database/transaction'

/*
 | A sign-out ends the sessions that began in the browser. Sessions with `offline_access` go on for
 | a user who is away, but their applications are told (Back-Channel Logout 1.0, section 2.7).
 */

type WebSession = Pick<SessionRecord, 'id' | 'userId'>

export async function signOut({ id, userId }: WebSession, actor: Actor) {
  const user = { id: userId }
  await db.transaction(async (trx) => {
    if (!(await endSession(userId, id, trx))) return
    const grants = await selectGrantsOfBrowser({ userId, webSessionId: id }, trx)
    let endedSessions = 1
    for (const { grantId } of grants.filter(({ isOffline }) => !isOffline)) {
      if (await endGrant(userId, grantId, trx)) endedSessions++
    }
    await notifyOffline(userId, grants, trx)
    const details = { sessionId: id, endedSessions }
    await record(trx, { type: 'session.ended', user, actor, details })
  })
}

/** Replaces a session by a new sign-in in its browser. Its grants go on only for the same user. */
export async function replaceWebSession(previous: WebSession, next: WebSession, actor: Actor) {
  const { id, userId } = previous
  if (userId !== next.userId) return signOut(previous, actor)
  await db.transaction(async (trx) => {
    if (!(await endSessionWithin(previous, actor, trx))) return
    await moveGrants({ userId, from: id, to: next.id }, trx)
  })
}

async function notifyOffline(userId: string, grants: BrowserGrant[], trx: Transaction) {
  const sessions = []
  for (const { grantId, clientId } of grants.filter(({ isOffline }) => isOffline)) {
    const isAlive = await store.isSessionAlive({ userId, sessionId: grantId }, Date.now(), trx)
    if (isAlive) sessions.push({ id: grantId, clientId })
  }
  if (sessions.length === 0) return
  const context = { sessions, goOn: true } as const
  await record(trx, { type: 'client_sessions.ended', user: { id: userId }, context })
}

/** Counts the applications whose session a sign-out of this browser ends. */
export async function countSignedOut({ id, userId }: WebSession) {
  const grants = await selectGrantsOfBrowser({ userId, webSessionId: id })
  const clients = new Set<string>()
  for (const { grantId, clientId, isOffline } of grants) {
    if (!isOffline && (await findActiveSession(userId, grantId))) clients.add(clientId)
  }
  return clients.size
}
