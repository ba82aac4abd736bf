import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { E_INVALID_CODE, E_MFA_ENABLED } from '#auth/errors'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { clearCodeThrottle } from '#auth/lockout/throttle'
import { withinCodes } from '#auth/lockout/within_limits'
import { lockForChange } from '#auth/lock_for_change'
import { replaceBackupCodes } from './backup_codes.ts'
import { canonicalCode } from './codes.ts'
import { getReauthenticatedUserOrFail, type Reauthentication } from './reauthentication.ts'
import { discardPendingSecret, findPendingSecret, storePendingSecret } from './pending_secret.ts'
import { concludeMfaChange, storeSecondFactor, type SessionActor } from './second_factor.ts'
import { findTimeStep, newSecret } from './totp.ts'

/** Changes nothing until a code confirms that the app has the secret. */
export async function beginEnrolment(caller: Reauthentication) {
  const { userId, actor } = caller
  const { email } = await getReauthenticatedUserOrFail(caller)
  const { secret, otpauthUrl } = newSecret(email)
  await db.transaction(async (trx) => {
    const user = await lockForChange(userId, actor, trx)
    if (user.mfaEnabled) throw new E_MFA_ENABLED()
    await storePendingSecret(userId, secret, trx)
  })
  const { toDataURL } = await import('qrcode')
  return { secret, otpauthUrl, qrCode: await toDataURL(otpauthUrl) }
}

interface Confirmation {
  code: string
  secret?: string
}

/**
 * Only one of parallel confirmations succeeds. @returns ten backup codes, shown only now
 * @throws E_INVALID_CODE, and E_TOO_MANY_REQUESTS after too many wrong codes
 */
export async function confirmEnrolment(caller: SessionActor, confirmation: Confirmation) {
  const user = await User.find(caller.userId)
  if (!user) throw new E_NOT_FOUND()
  if (user.mfaEnabled) throw new E_MFA_ENABLED()
  const confirmed = await withinCodes(user.id, () => confirmSecret(user.id, confirmation))
  await clearCodeThrottle(user.id)
  return db.transaction(async (trx) => {
    await lockForChange(user.id, caller.actor, trx)
    if (!(await discardPendingSecret(user.id, trx))) throw new E_INVALID_CODE()
    await storeSecondFactor(user.id, confirmed, trx)
    const backupCodes = await replaceBackupCodes(user.id, trx)
    await concludeMfaChange({ caller, user, isEnabled: true }, trx)
    return backupCodes
  })
}

async function confirmSecret(userId: string, { code, secret: sent }: Confirmation) {
  const secret = await findPendingSecret(userId)
  const isExpected = !sent || canonicalCode(sent) === secret
  if (!secret || !isExpected) throw new E_INVALID_CODE()
  const step = await findTimeStep(secret, canonicalCode(code))
  if (step === null) throw new E_INVALID_CODE()
  return { secret, step }
}
