import db from '@adonisjs/lucid/services/db'
import { endSessions } from '#auth/sessions/sessions'
import { clearAttempts } from '#auth/lockout/attempts'
import { recordAudit } from '#audit/trail'
import { deleteMailsOf } from '#mails/delete_mails'
import { lockUserForUpdate, assertAnotherAdmin, lockAdminsForUpdate } from './last_admin.ts'
import type User from '#models/user'
import type { Actor } from '#audit/actor'

/**
 * Deletes a user with their sessions, attempts and mails; foreign keys delete the rest,
 * and the audit trail stays.
 *
 * @param reauthenticated the user as read when they proved their password
 */
export async function deleteUser(userId: string, actor: Actor, reauthenticated?: User) {
  return db.transaction(async (trx) => {
    await lockAdminsForUpdate(trx)
    const user = await lockUserForUpdate(userId, trx, reauthenticated)
    if (user.isAdmin && !user.isDisabled) await assertAnotherAdmin(userId, trx)
    await endSessions(userId, { trx })
    await clearAttempts(user.email, trx)
    await deleteMailsOf(userId, trx)
    await trx.from('users').where('id', userId).delete()
    const details = { email: user.email }
    await recordAudit({ action: 'account.deleted', actor, targetId: userId, details }, trx)
    return user
  })
}
