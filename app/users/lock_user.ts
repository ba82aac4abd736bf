import db from '@adonisjs/lucid/services/db'
import { assertMay } from '#auth/callers/permissions'
import { changeKeepingAnAdmin } from '#auth/last_admin'
import { assertNotServiceAccount, lockForChange } from '#auth/lock_for_change'
import { clearAttempts, lockAttempts, unlockAllAttempts } from '#auth/lockout/attempts'
import { unlockCodes } from '#auth/mfa/code_attempts'
import { record } from '#events/record'
import { invalidField } from '#exceptions/http_errors'
import type { Actor } from '#audit/actor'

/**
 * A password reset does not lift this lock. Locking an administrator needs the permission to
 * disable one.
 * @param until in milliseconds since the epoch
 * @throws a validation error for a time that has passed, E_NOT_FOUND, E_LAST_ADMIN, and what
 * `assertMay` throws
 */
export async function lockUser(userId: string, until: number, actor: Actor) {
  assertAhead(until)
  return changeKeepingAnAdmin(async (trx) => {
    const user = await lockForChange(userId, actor, trx)
    assertNotServiceAccount(user)
    if (user.isAdmin) assertMay('administrator', actor)
    await trx
      .from('users')
      .where('id', userId)
      .update({ locked_until: until, lock_kind: 'administrator' })
    await clearAttempts({ email: user.email }, trx)
    const lock = { until, now: Date.now(), isUndoable: true }
    await lockAttempts({ email: user.email }, lock, trx)
    const details = { until: new Date(until).toISOString(), lockKind: 'administrator' } as const
    await record(trx, { type: 'account.locked', user, actor, details })
    return user.refresh()
  })
}

/** A lock that has already ended would lift another lock, yet be reported as a lock. */
function assertAhead(until: number) {
  if (until > Date.now()) return
  throw invalidField('until', 'range', 'The until field must be a time in the future')
}

/**
 * Unlocking an administrator allows an attacker more guesses, so it needs a permission. Failures that
 * led to no lock are forgotten without an event, because each failure has its own.
 * @throws E_NOT_FOUND, and what `assertMay` throws
 */
export function unlockUser(userId: string, actor: Actor, { onNone = () => {} } = {}) {
  return db.transaction(async (trx) => {
    const user = await lockForChange(userId, actor, trx)
    assertNotServiceAccount(user)
    if (user.isAdmin) assertMay('administrator', actor)
    await trx.from('users').where('id', userId).update({ locked_until: null, lock_kind: null })
    const locks = [
      user.isLocked(),
      await unlockAllAttempts(user, trx),
      await unlockCodes(userId, trx),
    ]
    if (!locks.includes(true)) onNone()
    else await record(trx, { type: 'account.unlocked', user, actor })
    return user.refresh()
  })
}
