import { getChallengeOrFail, takeTryOrFail } from '#auth/mfa/challenge'
import { findKnownDevice } from '#auth/devices/recognition'
import { assertNotLocked } from './candidate.ts'
import { continueSignIn } from './continue_sign_in.ts'
import { orRecordLocked } from './refused_while_locked.ts'
import type { SignInResult } from './result.ts'
import type { Device } from '#auth/sessions/device'

interface SecondStep {
  mfaToken: string
  code: string
  device: Device
}

/**
 * The second step of a sign-in: verifies the code for a challenge.
 *
 * @throws E_INVALID_MFA_TOKEN for a challenge that has ended, E_ACCOUNT_LOCKED as `signIn`
 */
export async function verifyMfaChallenge(request: SecondStep): Promise<SignInResult> {
  const challenge = await getChallengeOrFail(request.mfaToken)
  const { user, method } = challenge
  const { device } = request
  const { email } = user
  const knownDevice = await findKnownDevice(email, device.recognition)
  await orRecordLocked({ email, method, device }, assertNotLocked({ user, knownDevice }))
  await takeTryOrFail(request.mfaToken)
  return continueSignIn({ ...request, ...challenge, knownDevice })
}
