import db from '@adonisjs/lucid/services/db'
import { clearAllAttempts, clearAttempts, lockAttempts } from '#auth/lockout/attempts'
import { unlockCodes } from '#auth/mfa/code_attempts'
import { assertPerson } from '#auth/assert_person'
import { recordAudit } from '#audit/trail'
import { lockUserForUpdate } from './last_admin.ts'
import type { Actor } from '#audit/actor'

/**
 * Locks a user until a time in milliseconds. Sessions continue. Only an administrator lifts
 * this lock before its time: a reset by mail does not.
 */
export async function lockUser(userId: string, until: number, actor: Actor) {
  return db.transaction(async (trx) => {
    const user = await lockUserForUpdate(userId, trx)
    assertPerson(user)
    await trx
      .from('users')
      .where('id', userId)
      .update({ locked_until: until, lock_kind: 'administrator' })
    await clearAttempts({ email: user.email }, trx)
    await lockAttempts({ email: user.email }, { until, now: Date.now() }, trx)
    const details = { until: new Date(until).toISOString(), lockKind: 'administrator' }
    await recordAudit({ action: 'account.locked', actor, targetId: userId, details }, trx)
    return user.refresh()
  })
}

/** Lifts a lock and clears the failed attempts that led to it. */
export async function unlockUser(userId: string, actor: Actor) {
  return db.transaction(async (trx) => {
    const user = await lockUserForUpdate(userId, trx)
    assertPerson(user)
    await trx.from('users').where('id', userId).update({ locked_until: null, lock_kind: null })
    await clearAllAttempts(user, trx)
    await unlockCodes(userId, trx)
    await recordAudit({ action: 'account.unlocked', actor, targetId: userId }, trx)
    return user.refresh()
  })
}
