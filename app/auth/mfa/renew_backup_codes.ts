import db from '@adonisjs/lucid/services/db'
import { E_MFA_NOT_ENABLED } from '#auth/errors'
import { lockForChange } from '#auth/lock_for_change'
import { record } from '#events/record'
import { replaceBackupCodes } from './backup_codes.ts'
import { getReauthenticatedUserOrFail, type Reauthentication } from './reauthentication.ts'

export async function renewBackupCodes(caller: Reauthentication) {
  const { userId, actor } = caller
  await getReauthenticatedUserOrFail(caller)
  return db.transaction(async (trx) => {
    const user = await lockForChange(userId, actor, trx)
    if (!user.mfaEnabled) throw new E_MFA_NOT_ENABLED()
    const backupCodes = await replaceBackupCodes(user.id, trx)
    await record(trx, { type: 'mfa.backup_codes_replaced', user, actor })
    return backupCodes
  })
}
