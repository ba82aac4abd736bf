import db from '@adonisjs/lucid/services/db'
import { validate as isUuid } from 'uuid'
import { record } from '#events/record'
import { endSession, endSessions } from './sessions.ts'
import type { Actor } from '#audit/actor'

/** False, and no event, for a session of another user or one that had ended. */
export async function endSessionAs(userId: string, sessionId: string, actor: Actor) {
  if (!isUuid(userId) || !isUuid(sessionId)) return false
  return db.transaction(async (trx) => {
    const isEnded = await endSession(userId, sessionId, trx)
    if (!isEnded) return false
    const user = { id: userId }
    await record(trx, { type: 'session.ended', user, actor, details: { sessionId } })
    return true
  })
}

/**
 * No event where nothing ended: a user could fill the trail, and the queue of each webhook.
 * @param except a session that stays; without it the caller's ends too. @returns the number
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
