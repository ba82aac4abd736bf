import db from '@adonisjs/lucid/services/db'
import { E_MFA_NOT_ENABLED } from '#auth/errors'
import { recordAudit } from '#audit/trail'
import { replaceBackupCodes } from './backup_codes.ts'
import { getProvenCallerOrFail, type ProvingCaller } from './reauthentication.ts'

/** Replaces the backup codes of the caller; the earlier ones stop working. */
export async function renewBackupCodes(caller: ProvingCaller) {
  const user = await getProvenCallerOrFail(caller)
  if (!user.mfaEnabled) throw new E_MFA_NOT_ENABLED()
  return db.transaction(async (trx) => {
    const backupCodes = await replaceBackupCodes(user.id, trx)
    const { actor } = caller
    await recordAudit({ action: 'mfa.backup_codes_replaced', actor, targetId: user.id }, trx)
    return backupCodes
  })
}
