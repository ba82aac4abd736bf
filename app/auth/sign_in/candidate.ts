import { lockedRefusal, returnAttempt } from '#auth/lockout/attempts'
import type { Device } from '#auth/sessions/device'
import type User from '#models/user'

/** A user who is about to be signed in, and what has been proved so far. */
export interface Candidate {
  user: User
  device: Device
  /** `password`, or the name of the external provider. */
  method: string
  /** The number of the reserved attempt, from 1 to the threshold. */
  attempt: number
  code?: string
  password?: string
  /** The challenge whose second step this is. */
  mfaToken?: string
}

/** The lock in the user's own row holds even when the store has lost its data. */
export async function assertNotLocked(user: User) {
  if (!user.isLocked()) return
  await returnAttempt(user.email)
  throw lockedRefusal(user.lockedUntil!.toMillis())
}

/** Gives the attempt back when a step fails for a reason other than a wrong guess. */
export async function orReturnAttempt<T>({ email }: User, step: Promise<T>): Promise<T> {
  try {
    return await step
  } catch (error) {
    await returnAttempt(email)
    throw error
  }
}
