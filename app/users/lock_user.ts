import db from '@adonisjs/lucid/services/db'
import { clearAttempts } from '#auth/lockout/attempts'
import { hashEmail } from '#auth/email'
import { recordAudit } from '#audit/trail'
import store from '#auth/store/service'
import { lockUserForUpdate } from './last_admin.ts'
import type { Actor } from '#audit/actor'

/** Locks a user until then, as five failures would; live sessions go on. */
export async function lockUser(userId: string, until: number, actor: Actor) {
  return db.transaction(async (trx) => {
    const user = await lockUserForUpdate(userId, trx)
    await trx.from('users').where('id', userId).update({ locked_until: until })
    await clearAttempts(user.email, trx)
    await store.lockAttempts(hashEmail(user.email), until, Date.now(), trx)
    const details = { until: new Date(until).toISOString() }
    await recordAudit({ action: 'account.locked', actor, targetId: userId, details }, trx)
    return user.refresh()
  })
}

/** Lifts a lock and forgets the failures that led to it. */
export async function unlockUser(userId: string, actor: Actor) {
  return db.transaction(async (trx) => {
    const user = await lockUserForUpdate(userId, trx)
    await trx.from('users').where('id', userId).update({ locked_until: null })
    await clearAttempts(user.email, trx)
    await recordAudit({ action: 'account.unlocked', actor, targetId: userId }, trx)
    return user.refresh()
  })
}
