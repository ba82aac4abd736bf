import { findKnownDevice } from '#auth/devices/recognition'
import { verifyAssertion } from '#auth/passkeys/verify_assertion'
import { assertNotLocked, type Candidate } from './candidate.ts'
import { continueSignIn } from './continue_sign_in.ts'
import { countLogin } from './count_login.ts'
import { orRecordLocked } from './refused_while_locked.ts'
import type { AssertionResponse } from '#auth/passkeys/responses'
import type { Device } from '#auth/sessions/device'
import type { SignInResult } from './result.ts'

interface PasskeySignIn {
  response: AssertionResponse
  device: Device
}

/** @throws E_PASSKEY_INVALID, E_ACCOUNT_LOCKED while locked by an administrator */
export function signInByPasskey(request: PasskeySignIn): Promise<SignInResult> {
  return countLogin('passkey', () => verifyPasskey(request))
}

async function verifyPasskey({ response, device }: PasskeySignIn): Promise<SignInResult> {
  const { user, passkey } = await verifyAssertion(response, { from: device })
  const { email } = user
  const knownDevice = await findKnownDevice(email, device.recognition)
  const method = 'passkey'
  const verifiedMethods: Candidate['verifiedMethods'] = [{ method, ...passkey }]
  const candidate = { user, device, knownDevice, method, verifiedMethods }
  await orRecordLocked({ email, method, device }, () => assertNotLocked(candidate))
  return continueSignIn(candidate)
}
