import { findKnownDevice } from '#auth/devices/recognition'
import { reserveAttempt } from '#auth/lockout/attempts'
import { assertNotLocked, type Candidate } from './candidate.ts'
import { continueSignIn } from './continue_sign_in.ts'
import { countLogin } from './count_login.ts'
import { orRecordLocked } from './refused_while_locked.ts'
import type { ConfirmedIdentity } from '#auth/external/link_identity'
import type { Device } from '#auth/sessions/device'
import type { SignInResult } from './result.ts'
import type User from '#models/user'

interface ExternalSignIn {
  user: User
  device: Device
  identity: ConfirmedIdentity
}

/** A lock, MFA and a disabled account have the same effect as with a password. */
export function signInExternally(request: ExternalSignIn): Promise<SignInResult> {
  return countLogin('external', () => signInByIdentity(request))
}

async function signInByIdentity({ user, device, identity }: ExternalSignIn): Promise<SignInResult> {
  const { email } = user
  const knownDevice = await findKnownDevice(email, device.recognition)
  const method = identity.provider
  const verifiedMethods: Candidate['verifiedMethods'] = [{ method: 'external', identity }]
  const candidate = { user, device, knownDevice, method, verifiedMethods }
  const attempt = await orRecordLocked({ email, method, device }, async () => {
    assertNotLocked(candidate)
    return reserveAttempt({ email, knownDevice })
  })
  return continueSignIn({ ...candidate, attempt })
}
