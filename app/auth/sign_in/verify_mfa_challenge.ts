import { E_INVALID_MFA_TOKEN } from '#auth/errors'
import { getChallengeOrFail, consumeTryOrFail, type Challenge } from '#auth/mfa/challenge'
import { findKnownDevice } from '#auth/devices/recognition'
import { methodNamed } from '#auth/methods/methods'
import { verifyAssertion } from '#auth/passkeys/verify_assertion'
import { assertNotLocked } from './candidate.ts'
import { continueSignIn } from './continue_sign_in.ts'
import { countLogin } from './count_login.ts'
import { orRecordLocked } from './refused_while_locked.ts'
import type { SignInResult } from './result.ts'
import type { VerifiedMethod } from '#auth/methods/sign_in_method'
import type { AssertionResponse } from '#auth/passkeys/responses'
import type { Device } from '#auth/sessions/device'

interface SecondStep {
  mfaToken: string
  code?: string
  /** Sent in place of a code. */
  passkey?: AssertionResponse
  device: Device
}

/** @throws E_INVALID_MFA_TOKEN for an ended challenge, E_PASSKEY_INVALID, E_ACCOUNT_LOCKED */
export async function verifyMfaChallenge(request: SecondStep): Promise<SignInResult> {
  const challenge = await getChallengeOrFail(request.mfaToken)
  return countLogin(challenge.method, () => verifySecondStep(request, challenge))
}

async function verifySecondStep(request: SecondStep, challenge: Challenge): Promise<SignInResult> {
  const { mfaToken, code, device } = request
  const { user, method } = challenge
  const { email } = user
  const first = firstMethod(challenge)
  const knownDevice = await findKnownDevice(email, device.recognition)
  const verifiedMethods = [first, ...(await verifyPasskey(request, user.id))]
  const candidate = { user, device, knownDevice, method, verifiedMethods, code, mfaToken }
  await orRecordLocked({ email, method, device }, () => assertNotLocked(candidate))
  if (!request.passkey) await consumeTryOrFail(mfaToken)
  return continueSignIn(candidate)
}

function firstMethod({ method, identity }: Challenge) {
  const verified = methodNamed(method).restore(identity)
  if (!verified) throw new E_INVALID_MFA_TOKEN()
  return verified
}

// Takes a try first: an attacker who has only the token must not try without limit.
async function verifyPasskey({ mfaToken, passkey: response, device }: SecondStep, userId: string) {
  if (!response) return []
  await consumeTryOrFail(mfaToken)
  const { passkey } = await verifyAssertion(response, { userId, from: device })
  return [{ method: 'passkey', ...passkey }] satisfies VerifiedMethod[]
}
