import { releaseAttempt } from '#auth/lockout/attempts'
import { lockedRefusal, type ReservedAttempt } from '#auth/lockout/reservations'
import { releaseCode, type CodeAttempt } from '#auth/mfa/code_attempts'
import { areGuessable } from '#auth/methods/methods'
import type { UseCode } from '#auth/mfa/codes'
import type { KnownDevice } from '#auth/devices/recognition'
import type { VerifiedMethod } from '#auth/methods/sign_in_method'
import type { Device } from '#auth/sessions/device'
import type { SessionRecord } from '#auth/store/contract'
import type { Transaction } from '#database/transaction'
import type User from '#models/user'

/**
 * Prepares data that begins with the session, before the transaction, because SQLite has one
 * writer. The returned function stores the data within the transaction.
 */
export type Companion = (
  user: User,
  session: SessionRecord
) => Promise<((trx: Transaction) => Promise<void>) | null>

export interface Candidate {
  user: User
  device: Device
  knownDevice: KnownDevice | null
  /** `password`, `passkey` or the provider, for the trail and sessions. */
  method: string
  /** In the order of verification; empty until a password is verified. */
  verifiedMethods: VerifiedMethod[]
  /** The reserved attempt of the e-mail or known device. */
  attempt?: ReservedAttempt
  codeAttempt?: CodeAttempt
  code?: string
  /** Uses up a right code, in the transaction of the session. */
  useCode?: UseCode
  password?: string
  mfaToken?: string
  companion?: Companion
}

/** Attackers can cause a lock by failures: it refuses no known device or unguessable method. */
export function assertNotLocked({ user, knownDevice, verifiedMethods }: Candidate) {
  const lockKind = user.currentLockKind
  if (!lockKind) return
  if (lockKind === 'failures' && (knownDevice || !areGuessable(verifiedMethods))) return
  const refusal = lockedRefusal(user.lockedUntil!.toMillis())
  // A user who has proved a method may know that an administrator locked the account.
  const tellsWhy = lockKind === 'administrator' && verifiedMethods.length > 0
  throw tellsWhy ? refusal.onPages('errors.locked_by_administrator') : refusal
}

/** Returns reserved attempts if a step fails for another reason than a wrong password or code. */
export async function releaseOnError<T>(candidate: Candidate, step: () => T | Promise<T>) {
  try {
    return await step()
  } catch (error) {
    await releaseAttempts(candidate)
    throw error
  }
}

// An attempt that another sign-in reserved stays counted.
export async function releaseAttempts({ user, knownDevice, attempt, codeAttempt }: Candidate) {
  if (attempt) await releaseAttempt({ email: user.email, knownDevice }, attempt)
  if (codeAttempt) await releaseCode(user.id, codeAttempt)
}
