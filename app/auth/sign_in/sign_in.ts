import { firstWithConfiguration } from '#database/configuration_version'
import User from '#models/user'
import { reserveAttempt } from '#auth/lockout/attempts'
import { findKnownDevice, type RecognisedDevice } from '#auth/devices/recognition'
import { withinAddress, withinLogins } from '#auth/lockout/within_limits'
import { withHashSlot } from '#auth/passwords/hash_queue'
import { verifyPassword } from '#auth/passwords/password_hash'
import { assertNotLocked, releaseOnError, type Candidate, type Companion } from './candidate.ts'
import { continueSignIn } from './continue_sign_in.ts'
import { countLogin } from './count_login.ts'
import { recordWrongPassword } from './stop_sign_in.ts'
import { orRecordLocked } from './refused_while_locked.ts'
import type { SignInResult } from './result.ts'
import type { Device } from '#auth/sessions/device'

export interface SignInRequest {
  /** In its canonical form. */
  email: string
  password: string
  /** A one-time or backup code, if the client has asked the user for it already. */
  code?: string
  device: Device
  companion?: Companion
}

/**
 * Takes the same steps for an unknown address: response and time must not tell which exist.
 * @throws E_ACCOUNT_LOCKED while locked or by the attempt that locks, E_TOO_MANY_REQUESTS, E_BUSY
 */
export function signIn(request: SignInRequest): Promise<SignInResult> {
  return countLogin('password', () => signInByPassword(request))
}

async function signInByPassword(request: SignInRequest): Promise<SignInResult> {
  const { candidate, result } = await withinThrottle(request, async (knownDevice) => {
    const { candidate: evaluated, isRight } = await evaluate(request, knownDevice)
    return { candidate: evaluated, result: isRight ? await continueSignIn(evaluated) : null }
  })
  return result ?? recordWrongPassword(candidate)
}

function evaluate(request: SignInRequest, knownDevice: RecognisedDevice | null) {
  return withHashSlot(async () => {
    const reserved = await orRecordLocked({ ...request, method: 'password' }, async () => {
      const unknown = await reserve(request, knownDevice)
      const known = await findUser(unknown, knownDevice)
      await releaseOnError(known, () => assertNotLocked(known))
      return known
    })
    return verify(reserved)
  })
}

// Throttles the address first, which limits how many devices are looked up.
function withinThrottle<T>(
  { email, device: { ip, recognition } }: SignInRequest,
  steps: (knownDevice: RecognisedDevice | null) => Promise<T>
) {
  return withinAddress(ip, async () => {
    const knownDevice = await findKnownDevice(email, recognition)
    return withinLogins({ ip, email, knownDevice }, () => steps(knownDevice))
  })
}

async function reserve(
  { email, ...request }: SignInRequest,
  knownDevice: RecognisedDevice | null
): Promise<Candidate> {
  const attempt = await reserveAttempt({ email, knownDevice })
  const user = unknownUser(email)
  return { ...request, user, knownDevice, method: 'password', verifiedMethods: [], attempt }
}

// Exists only in memory: no password matches this user.
function unknownUser(email: string) {
  return new User().fill({ id: '00000000-0000-0000-0000-000000000000', email, password: null })
}

// The look-up of a known device has already read its user.
async function findUser(candidate: Candidate, knownDevice: RecognisedDevice | null) {
  const { email } = candidate.user
  const query = User.query().where('email', email).select('*')
  const read = () => knownDevice?.user ?? firstWithConfiguration(query)
  const user = await releaseOnError(candidate, read)
  return user ? { ...candidate, user } : candidate
}

async function verify(candidate: Candidate) {
  const { user, password } = candidate
  const isRight = await releaseOnError(candidate, () => verifyPassword(user.password, password!))
  const verifiedMethods = isRight ? [{ method: 'password' } as const] : []
  return { candidate: { ...candidate, verifiedMethods }, isRight }
}
