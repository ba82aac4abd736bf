import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { E_NOT_FOUND } from '#auth/errors'
import { recordAudit } from '#audit/trail'
import type { Actor } from '#audit/actor'

/** Takes the second factor off an account whose owner has lost it; they enrol anew. */
export async function resetSecondFactor(userId: string, actor: Actor) {
  return db.transaction(async (trx) => {
    const cleared = { mfa_enabled: false, mfa_secret: null, mfa_last_step: null }
    const changed = await trx
      .from('users')
      .where('id', userId)
      .update({ ...cleared, updated_at: Date.now() })
    if (Number(changed) !== 1) throw new E_NOT_FOUND()
    await recordAudit({ action: 'mfa.reset', actor, targetId: userId }, trx)
    return User.findOrFail(userId, { client: trx })
  })
}
