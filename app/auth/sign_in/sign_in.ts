import User from '#models/user'
import { reserveAttempt } from '#auth/lockout/attempts'
import { getChallengeOrFail, takeTryOrFail } from '#auth/mfa/challenge'
import { throttleLogin } from '#auth/lockout/throttle'
import { assertHashQueueHasRoom } from '#auth/passwords/hash_queue'
import { verifyPassword } from '#auth/passwords/password_hash'
import { assertNotLocked, orReturnReserved } from './candidate.ts'
import { continueSignIn, recordWrongPassword } from './continue_sign_in.ts'
import { orRecordLocked } from './refused_while_locked.ts'
import type { SignInResult } from './result.ts'
import type { ConfirmedIdentity } from '#auth/external/link_identity'
import type { Device } from '#auth/sessions/device'

export interface SignInRequest {
  /** In its canonical form. */
  email: string
  password: string
  /** A one-time or backup code, if the client has asked the user for it already. */
  code?: string
  device: Device
}

/**
 * Signs a user in with a password. The steps are always the same: the throttle, room in the
 * hash queue, a reserved attempt, the user, the lock, the hash, and then those of
 * `continueSignIn`.
 *
 * An unknown address takes the same steps with a user who was never saved, so that neither
 * the answer nor its time tells an attacker whether the address has an account.
 *
 * @throws E_ACCOUNT_LOCKED while locked or by the attempt that locks, E_TOO_MANY_REQUESTS
 * beyond the throttle or while all attempts of the window are in use, E_BUSY while the hash
 * queue is full
 */
export async function signIn({ email, ...request }: SignInRequest): Promise<SignInResult> {
  await throttleLogin(request.device.ip, email)
  assertHashQueueHasRoom()
  const { device } = request
  const { user, attempt } = await orRecordLocked(
    { email, method: 'password', device },
    reserveFor(email)
  )
  const isRight = await orReturnReserved(
    { user, attempt },
    verifyPassword(user.password, request.password)
  )
  const candidate = { ...request, user, attempt, method: 'password' }
  return isRight ? continueSignIn(candidate) : recordWrongPassword(candidate)
}

async function reserveFor(email: string) {
  const attempt = await reserveAttempt(email)
  const user = (await User.findBy('email', email)) ?? unknownUser(email)
  await assertNotLocked({ user, attempt })
  return { user, attempt }
}

/**
 * The second step of a sign-in: verifies the code for a challenge.
 *
 * @throws E_INVALID_MFA_TOKEN for a challenge that has ended, E_ACCOUNT_LOCKED as `signIn`
 */
export async function verifyMfaChallenge(request: {
  mfaToken: string
  code: string
  device: Device
}): Promise<SignInResult> {
  const challenge = await getChallengeOrFail(request.mfaToken)
  const { user, method } = challenge
  const { device } = request
  await orRecordLocked({ email: user.email, method, device }, assertNotLocked({ user }))
  await takeTryOrFail(request.mfaToken)
  return continueSignIn({ ...request, ...challenge })
}

/** Signs in a user whom an external provider has identified. Lock, MFA and disabling apply as well. */
export async function signInExternally(request: {
  user: User
  device: Device
  identity: ConfirmedIdentity
}): Promise<SignInResult> {
  const { user, device, identity } = request
  const method = identity.provider
  const reserve = async () => {
    const attempt = await reserveAttempt(user.email)
    await assertNotLocked({ user, attempt })
    return attempt
  }
  const attempt = await orRecordLocked({ email: user.email, method, device }, reserve())
  return continueSignIn({ ...request, attempt, method })
}

/** A user in memory for an unknown address: no password matches it. */
function unknownUser(email: string) {
  return new User().fill({ id: '00000000-0000-0000-0000-000000000000', email, password: null })
}
