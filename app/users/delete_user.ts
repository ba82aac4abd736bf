import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import { assertMayChangeAdmin } from '#auth/administrators'
import { assertNotOwnByKey } from '#auth/api_keys/limits'
import { lockForChange } from '#auth/lock_for_change'
import { endSessions } from '#auth/sessions/sessions'
import { clearAllAttempts } from '#auth/lockout/attempts'
import { finishErasures } from '#audit/erasure'
import { recordAudit } from '#audit/trail'
import { deleteMailsOf } from '#mails/delete_mails'
import { assertAnotherAdmin, lockAdminsForUpdate } from './last_admin.ts'
import type User from '#models/user'
import type { Actor } from '#audit/actor'

interface Conditions {
  /** Throws if the user, whose row is locked by now, must stay. */
  assertDeletable?: (user: User) => void
}

/**
 * Deletes a user with their sessions, attempts and mails; foreign keys delete the rest. The
 * events of the audit trail stay, and with the key of the user goes what identified them.
 *
 * @throws E_NOT_FOUND, E_LAST_ADMIN, E_SCOPE, E_RECENT_LOGIN_REQUIRED, E_TOKEN_REVOKED, and what
 * `conditions` throw
 */
export async function deleteUser(userId: string, actor: Actor, conditions: Conditions = {}) {
  assertNotOwnByKey(userId, actor)
  const deleted = await db.transaction(async (trx) => {
    await lockAdminsForUpdate(trx)
    const user = await lockForChange(userId, actor, trx)
    conditions.assertDeletable?.(user)
    if (user.isAdmin) assertMayChangeAdmin(actor)
    if (user.isAdmin && !user.isDisabled) await assertAnotherAdmin(userId, trx)
    await endSessions(userId, { trx })
    await clearAllAttempts(user, trx)
    await deleteMailsOf(user, trx)
    await trx.from('users').where('id', userId).delete()
    await recordAudit({ action: 'account.deleted', actor, targetId: userId }, trx)
    return user
  })
  // The next pruning finishes what fails here.
  await finishErasures().catch((error) => logger.warn({ err: error }, 'an erasure is unfinished'))
  return deleted
}
