import type { ConfirmedIdentity } from '#auth/external/link_identity'
import { lockedRefusal, returnAttempt, type ReservedAttempt } from '#auth/lockout/attempts'
import { returnCode, type CodeAttempt } from '#auth/mfa/code_attempts'
import type { KnownDevice } from '#auth/devices/recognition'
import type { UsedPasskey } from '#auth/passkeys/verify_assertion'
import type { Device } from '#auth/sessions/device'
import type User from '#models/user'

/** `password`, `passkey`, or the external provider, of which none may be named so (`app/setup/environment/oidc_clients.ts`). */
export type SignInMethod = 'password' | 'passkey' | (string & {})

/** A user whose first step has passed, and what the further steps need. */
export interface Candidate {
  user: User
  device: Device
  /** The device, if the client has proved that the user is known to use it. */
  knownDevice: KnownDevice | null
  method: SignInMethod
  /** Of an external login: used, and linked if it is new, with the start of the session. */
  identity?: ConfirmedIdentity
  /** The reserved attempt of the e-mail or known device. */
  attempt?: ReservedAttempt
  /** The reserved attempt of a code. */
  codeAttempt?: CodeAttempt
  code?: string
  /** The passkey that has answered: both steps at once, or the second. */
  passkey?: UsedPasskey
  password?: string
  /** The challenge whose second step this is. */
  mfaToken?: string
}

type Reserved = Pick<
  Candidate,
  'user' | 'knownDevice' | 'attempt' | 'codeAttempt' | 'passkey' | 'identity' | 'mfaToken'
>

/**
 * Checks the lock in the row of the user, which holds even if the store has lost its data.
 * One that strangers have caused keeps strangers out, and neither a device that is known nor
 * a passkey, of which nothing can be guessed.
 */
export async function assertNotLocked(reserved: Reserved) {
  const { user, knownDevice, passkey } = reserved
  const lockKind = user.presentLockKind
  if (!lockKind || (lockKind === 'failures' && (knownDevice || passkey))) return
  await returnReserved(reserved)
  const refusal = lockedRefusal(user.lockedUntil!.toMillis())
  const tellsWhy = lockKind === 'administrator' && hasProvedOwner(reserved)
  throw tellsWhy ? refusal.onPages('errors.locked_by_administrator') : refusal
}

/** A passkey, a provider or the password before a second step: the owner may learn who locked the account. */
function hasProvedOwner({ passkey, identity, mfaToken }: Reserved) {
  return Boolean(passkey ?? identity ?? mfaToken)
}

/** Returns what was reserved if a step fails for another reason than a wrong password or code. */
export async function orReturnReserved<T>(reserved: Reserved, step: Promise<T>): Promise<T> {
  try {
    return await step
  } catch (error) {
    await returnReserved(reserved)
    throw error
  }
}

/** An attempt that this sign-in did not reserve stays counted: it is a guess of another one. */
export async function returnReserved({ user, knownDevice, attempt, codeAttempt }: Reserved) {
  if (attempt) await returnAttempt({ email: user.email, knownDevice }, attempt)
  if (codeAttempt) await returnCode(user.id, codeAttempt)
}
