import User from '#models/user'
import { reserveAttempt } from '#auth/lockout/attempts'
import { findKnownDevice, type KnownDevice } from '#auth/devices/recognition'
import { withinAddress, withinLogins } from '#auth/lockout/uncounted_login'
import { withHashRoom } from '#auth/passwords/hash_queue'
import { verifyPassword } from '#auth/passwords/password_hash'
import { assertNotLocked, orReturnReserved } from './candidate.ts'
import { continueSignIn } from './continue_sign_in.ts'
import { recordWrongPassword } from './stop_sign_in.ts'
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
  const { isRight, reserved } = await evaluate(email, request)
  const candidate = { ...request, ...reserved, method: 'password' }
  return isRight ? continueSignIn(candidate) : recordWrongPassword(candidate)
}

/** The throttle of the address comes first: it bounds the devices that are looked up. */
function evaluate(email: string, request: Omit<SignInRequest, 'email'>) {
  const { ip, recognition } = request.device
  return withinAddress(ip, async () => {
    const counted = { email, knownDevice: await findKnownDevice(email, recognition) }
    return withinLogins({ ip, ...counted }, () =>
      withHashRoom(() => verifyReserved(counted, request))
    )
  })
}

interface Counted {
  email: string
  knownDevice: KnownDevice | null
}

/** Reserves an attempt and evaluates it. */
async function verifyReserved(
  counted: Counted,
  { device, password }: Pick<SignInRequest, 'device' | 'password'>
) {
  const attempted = { email: counted.email, method: 'password', device }
  const reserved = await orRecordLocked(attempted, reserveFor(counted))
  const isRight = await orReturnReserved(reserved, verifyPassword(reserved.user.password, password))
  return { isRight, reserved }
}

async function reserveFor({ email, knownDevice }: Counted) {
  const attempt = await reserveAttempt({ email, knownDevice })
  const unknown = { user: unknownUser(email), knownDevice, attempt }
  const user = await orReturnReserved(unknown, User.findBy('email', email))
  const reserved = user ? { ...unknown, user } : unknown
  await assertNotLocked(reserved)
  return reserved
}

/** Signs in a user whom an external provider has identified. Lock, MFA and disabling apply as well. */
export async function signInExternally(request: {
  user: User
  device: Device
  identity: ConfirmedIdentity
}): Promise<SignInResult> {
  const { user, device, identity } = request
  const method = identity.provider
  const { email } = user
  const knownDevice = await findKnownDevice(email, device.recognition)
  const reserve = async () => {
    await assertNotLocked({ user, knownDevice, identity })
    return reserveAttempt({ email, knownDevice })
  }
  const attempt = await orRecordLocked({ email, method, device }, reserve())
  return continueSignIn({ ...request, knownDevice, attempt, method })
}

/** A user in memory for an unknown address: no password matches it. */
function unknownUser(email: string) {
  return new User().fill({ id: '00000000-0000-0000-0000-000000000000', email, password: null })
}
