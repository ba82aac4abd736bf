import db from '@adonisjs/lucid/services/db'
import { validate as isUuid } from 'uuid'
import { record } from '#events/record'
import { endSession, endSessions } from './sessions.ts'
import type { Actor } from '#audit/actor'

/** Ends a session of the user. False, and no event, if it is not theirs or had ended. */
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
 * Ends every session of the user and returns their number.
 *
 * @param except the id of a session that goes on; unless given, the one of the caller ends too
 */
export async function endAllSessionsAs(userId: string, actor: Actor, except?: string) {
  return db.transaction(async (trx) => {
    const endedSessions = await endSessions(userId, { trx, except })
    const user = { id: userId }
    await record(trx, { type: 'sessions.ended', user, actor, details: { endedSessions } })
    return endedSessions
  })
}
