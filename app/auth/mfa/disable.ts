import db from '@adonisjs/lucid/services/db'
import { E_MFA_NOT_ENABLED } from '#auth/errors'
import { lockForChange } from '#auth/lock_for_change'
import { getReauthenticatedUserOrFail, type Reauthentication } from './reauthentication.ts'
import { concludeMfaChange, removeSecondFactor } from './second_factor.ts'

export async function disableMfa(caller: Reauthentication) {
  const { userId, actor } = caller
  await getReauthenticatedUserOrFail(caller)
  await db.transaction(async (trx) => {
    const user = await lockForChange(userId, actor, trx)
    if (!user.mfaEnabled) throw new E_MFA_NOT_ENABLED()
    await removeSecondFactor(user.id, trx)
    await concludeMfaChange({ caller, user, isEnabled: false }, trx)
  })
}
