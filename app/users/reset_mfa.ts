import { assertMay } from '#auth/callers/permissions'
import { changeKeepingAnAdmin } from '#auth/last_admin'
import { assertNotServiceAccount, lockForChange } from '#auth/lock_for_change'
import { forgetDevices } from '#auth/devices/known_devices'
import { endSessions } from '#auth/sessions/sessions'
import { record } from '#events/record'
import { removePasskeys } from '#auth/passkeys/remove_passkeys'
import { removeSecondFactor } from '#auth/mfa/second_factor'
import type { Actor } from '#audit/actor'

/** Ends every session, because an attacker may have taken the lost device with a session on it. */
export async function resetMfa(userId: string, actor: Actor) {
  return changeKeepingAnAdmin(async (trx) => {
    const user = await lockForChange(userId, actor, trx)
    assertNotServiceAccount(user)
    assertMay(user.isAdmin ? 'administrator' : 'user.mfa_reset', actor)
    await removeSecondFactor(userId, trx)
    const passkeys = await removePasskeys(userId, {}, trx)
    const endedSessions = await endSessions(userId, { trx })
    const withdrawnDevices = await forgetDevices(userId, {}, trx)
    const removed = passkeys.length > 0 && { removedPasskeys: passkeys.length }
    const details = { endedSessions, withdrawnDevices, ...removed }
    const context = { passkeys, hadSecondFactor: Boolean(user.mfaEnabled) }
    await record(trx, { type: 'mfa.reset', user, actor, details, context })
    return user.refresh()
  })
}
