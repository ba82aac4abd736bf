import User from '#models/user'
import { E_MFA_NOT_ENABLED } from '#auth/errors'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { assertReauthenticated } from './reauthentication.ts'
import type { Actor } from '#audit/actor'

/** A user who changes their own second factor. */
export interface MfaCaller {
  userId: string
  /** The session of the caller; every other one ends when the second factor changes. */
  sessionId: string
  actor: Actor
}

export async function getCallerOrFail({ userId }: MfaCaller) {
  const user = await User.find(userId)
  if (!user) throw new E_NOT_FOUND()
  return user
}

export interface BothFactors {
  currentPassword: string
  code: string
}

/**
 * Asks for both factors before either is changed: a stolen session, or the password alone,
 * must not be enough to remove the second factor.
 *
 * @throws what `assertReauthenticated` throws, and E_MFA_NOT_ENABLED
 */
export async function assertBothFactors(caller: MfaCaller, proof: BothFactors) {
  const user = await getCallerOrFail(caller)
  await assertReauthenticated(user, { password: proof.currentPassword, code: proof.code })
  if (!user.mfaEnabled) throw new E_MFA_NOT_ENABLED()
  return user
}
