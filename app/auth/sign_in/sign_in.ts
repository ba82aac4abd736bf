import User from '#models/user'
import { reserveAttempt } from '#auth/lockout/attempts'
import { findKnownDevice } from '#auth/devices/recognition'
import { throttleAddress } from '#auth/lockout/address_throttle'
import { throttleLogin } from '#auth/lockout/throttle'
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
  const { device } = request
  const counted = await throttled(email, device)
  const { isRight, reserved } = await withHashRoom(() => verifyReserved(counted, request))
  const candidate = { ...request, ...reserved, method: 'password' }
  return isRight ? continueSignIn(candidate) : recordWrongPassword(candidate)
}

type Counted = Awaited<ReturnType<typeof throttled>>

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

/** The throttle of the address comes first: it bounds the devices that are looked up. */
async function throttled(email: string, { ip, recognition }: Device) {
  await throttleAddress('login', ip)
  const counted = { email, knownDevice: await findKnownDevice(email, recognition) }
  await throttleLogin(ip, counted)
  return counted
}

async function reserveFor({ email, knownDevice }: Counted) {
  const attempt = await reserveAttempt({ email, knownDevice })
  const user = (await User.findBy('email', email)) ?? unknownUser(email)
  const reserved = { user, knownDevice, attempt }
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
    const attempt = await reserveAttempt({ email, knownDevice })
    await assertNotLocked({ user, knownDevice, attempt })
    return attempt
  }
  const attempt = await orRecordLocked({ email, method, device }, reserve())
  return continueSignIn({ ...request, knownDevice, attempt, method })
}

/** A user in memory for an unknown address: no password matches it. */
function unknownUser(email: string) {
  return new User().fill({ id: '00000000-0000-0000-0000-000000000000', email, password: null })
}
