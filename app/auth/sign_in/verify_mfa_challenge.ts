import { getChallengeOrFail, takeTryOrFail } from '#auth/mfa/challenge'
import { findKnownDevice } from '#auth/devices/recognition'
import { verifyAssertion } from '#auth/passkeys/verify_assertion'
import { assertNotLocked } from './candidate.ts'
import { continueSignIn } from './continue_sign_in.ts'
import { orRecordLocked } from './refused_while_locked.ts'
import type { SignInResult } from './result.ts'
import type { AssertionResponse } from '#auth/passkeys/responses'
import type { Device } from '#auth/sessions/device'

interface SecondStep {
  mfaToken: string
  code?: string
  /** In place of a code. */
  passkey?: AssertionResponse
  device: Device
}

/**
 * The second step of a sign-in: verifies the code, or the passkey, for a challenge.
 *
 * @throws E_INVALID_MFA_TOKEN for a challenge that has ended, E_PASSKEY_INVALID, and
 * E_ACCOUNT_LOCKED as `signIn`
 */
export async function verifyMfaChallenge(request: SecondStep): Promise<SignInResult> {
  const { mfaToken, code, device } = request
  const challenge = await getChallengeOrFail(mfaToken)
  const { user, method } = challenge
  const { email } = user
  const knownDevice = await findKnownDevice(email, device.recognition)
  const passkey = request.passkey && (await answerOf(request, user.id))
  const reserved = { user, knownDevice, passkey, mfaToken }
  await orRecordLocked({ email, method, device }, assertNotLocked(reserved))
  if (!passkey) await takeTryOrFail(mfaToken)
  return continueSignIn({ ...challenge, ...reserved, code, device })
}

/** Takes a try first, as for a code: whoever has the token alone must not try without end. */
async function answerOf({ mfaToken, passkey: response, device: from }: SecondStep, userId: string) {
  await takeTryOrFail(mfaToken)
  const { passkey } = await verifyAssertion(response!, { userId, from })
  return passkey
}
