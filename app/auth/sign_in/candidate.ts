import { lockedRefusal, returnAttempt } from '#auth/lockout/attempts'
import type { Device } from '#auth/sessions/device'
import type User from '#models/user'

/** A user whose first step has passed, and what the further steps need. */
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

/** Checks the lock in the row of the user, which holds even if the store has lost its data. */
export async function assertNotLocked(user: User) {
  if (!user.isLocked()) return
  await returnAttempt(user.email)
  throw lockedRefusal(user.lockedUntil!.toMillis())
}

/** Returns the reserved attempt if a step fails for another reason than a wrong password or code. */
export async function orReturnAttempt<T>({ email }: User, step: Promise<T>): Promise<T> {
  try {
    return await step
  } catch (error) {
    await returnAttempt(email)
    throw error
  }
}
