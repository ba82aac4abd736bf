import { lockedRefusal, returnAttempt, type ReservedAttempt } from '#auth/lockout/attempts'
import { returnCode, type CodeAttempt } from '#auth/mfa/code_attempts'
import { areGuessable } from '#auth/methods/methods'
import type { KnownDevice } from '#auth/devices/recognition'
import type { Proof } from '#auth/methods/sign_in_method'
import type { Device } from '#auth/sessions/device'
import type User from '#models/user'

/** The sign-in of a user on its way: what is proved so far, and what the further steps need. */
export interface Candidate {
  user: User
  device: Device
  /** The device, if the client has proved that the user is known to use it. */
  knownDevice: KnownDevice | null
  /** How it began, as the trail and sessions name it: `password`, `passkey` or the provider. */
  method: string
  /** In their order; empty until a password is verified. */
  proofs: Proof[]
  /** The reserved attempt of the e-mail or known device. */
  attempt?: ReservedAttempt
  /** The reserved attempt of a code. */
  codeAttempt?: CodeAttempt
  code?: string
  password?: string
  /** The challenge whose second step this is. */
  mfaToken?: string
}

/**
 * Checks the lock in the row of the user, which holds even if the store has lost its data. A
 * lock after failures, which attackers can cause, refuses neither a known device nor a method
 * that cannot be guessed. A user who has proved something learns who locked the account.
 */
export function assertNotLocked({ user, knownDevice, proofs }: Candidate) {
  const lockKind = user.presentLockKind
  if (!lockKind) return
  if (lockKind === 'failures' && (knownDevice || !areGuessable(proofs))) return
  const refusal = lockedRefusal(user.lockedUntil!.toMillis())
  const tellsWhy = lockKind === 'administrator' && proofs.length > 0
  throw tellsWhy ? refusal.onPages('errors.locked_by_administrator') : refusal
}

/** Returns what is reserved if a step fails for another reason than a wrong password or code. */
export async function orReturnReserved<T>(candidate: Candidate, step: () => T | Promise<T>) {
  try {
    return await step()
  } catch (error) {
    await returnReserved(candidate)
    throw error
  }
}

/** An attempt that this sign-in did not reserve stays counted: it is a guess of another one. */
export async function returnReserved({ user, knownDevice, attempt, codeAttempt }: Candidate) {
  if (attempt) await returnAttempt({ email: user.email, knownDevice }, attempt)
  if (codeAttempt) await returnCode(user.id, codeAttempt)
}
