import db from '@adonisjs/lucid/services/db'
import { validate as isUuid } from 'uuid'
import { record } from '#events/record'
import { endSession, endSessions } from './sessions.ts'
import type { Actor } from '#audit/actor'
import type { SessionRecord } from '#auth/store/contract'
import type { Transaction } from '#database/transaction'

/** Returns false and records no event for another user's session, or one that had ended. */
export async function endSessionAs(userId: string, sessionId: string, actor: Actor) {
  if (!isUuid(userId) || !isUuid(sessionId)) return false
  return db.transaction((trx) => endSessionWithin({ userId, id: sessionId }, actor, trx))
}

export async function endSessionWithin(
  { userId, id: sessionId }: Pick<SessionRecord, 'userId' | 'id'>,
  actor: Actor,
  trx: Transaction
) {
  if (!(await endSession(userId, sessionId, trx))) return false
  const user = { id: userId }
  await record(trx, { type: 'session.ended', user, actor, details: { sessionId } })
  return true
}

/**
 * Records no event if nothing ended: a user could fill the trail, and the queue of each webhook.
 * @param except a session that is kept; if missing, the caller's ends as well. @returns the number
 */
export async function endAllSessionsAs(userId: string, actor: Actor, except?: string) {
  return db.transaction(async (trx) => {
    const endedSessions = await endSessions(userId, { trx, except })
    if (endedSessions === 0) return 0
    const user = { id: userId }
    await record(trx, { type: 'sessions.ended', user, actor, details: { endedSessions } })
    return endedSessions
  })
}
