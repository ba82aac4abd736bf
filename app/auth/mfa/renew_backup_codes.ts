import db from '@adonisjs/lucid/services/db'
import { recordAudit } from '#audit/trail'
import { replaceBackupCodes } from './backup_codes.ts'
import { assertBothFactors, type BothFactors, type MfaCaller } from './caller.ts'

/** Replaces the backup codes of the caller; the earlier ones stop working. */
export async function renewBackupCodes(caller: MfaCaller, proof: BothFactors) {
  const user = await assertBothFactors(caller, proof)
  return db.transaction(async (trx) => {
    const backupCodes = await replaceBackupCodes(user.id, trx)
    const { actor } = caller
    await recordAudit({ action: 'mfa.backup_codes_replaced', actor, targetId: user.id }, trx)
    return backupCodes
  })
}
