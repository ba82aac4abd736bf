import { randomBytes } from 'node:crypto'
import lockout from '#config/lockout'
import store from '#auth/store/service'
import { retryLater } from './late_store.ts'
import { tooManyRequests } from './rate_limit.ts'
import { E_ACCOUNT_LOCKED } from '#auth/errors'
import { isDependencyDown } from '#exceptions/dependency_failures'
import { hashEmail } from './count_keys.ts'
import { deviceIdsOf } from '#auth/devices/known_devices'
import type { KnownDevice } from '#auth/devices/recognition'
import type { AttemptsLock, Reservation } from '#auth/store/contract'
import type { Transaction } from '#database/transaction'
import type User from '#models/user'

/**
 * The refusal of a sign-in to a locked user: the same on every way to sign in. A lock by an
 * administrator, however long, counts down as locks after failures do and starts again: a
 * stranger must not learn that an administrator locked the user.
 */
export function lockedRefusal(until: number) {
  const left = Math.max(1, until - Date.now())
  const shown = ((left - 1) % lockout.durationMs) + 1
  return new E_ACCOUNT_LOCKED().retryAfter(shown / 1_000)
}

/** What an attempt counts against: the e-mail, or the known device that it comes from. */
export interface Counted {
  email: string
  knownDevice?: KnownDevice | null
}

/** Five guesses of strangers lock strangers out, and a known device has five of its own. */
function keyOf({ email, knownDevice }: Counted) {
  return hashEmail(knownDevice ? `device:${knownDevice.id}` : email)
}

/** An attempt that may be evaluated. */
export interface ReservedAttempt {
  id: string
  /** From 1 to the threshold. */
  number: number
}

/**
 * Takes one of the attempts that a window allows, before a password is verified: however
 * many requests an attacker sends in parallel, no more guesses than that are evaluated.
 *
 * @throws E_ACCOUNT_LOCKED while locked, E_TOO_MANY_REQUESTS while every attempt is in use
 */
export function reserveAttempt(counted: Counted): Promise<ReservedAttempt> {
  return reserveUnder(keyOf(counted))
}

/** Where the store did not answer in time, it may have counted: the attempt is returned later. */
export async function reserveUnder(countKey: string): Promise<ReservedAttempt> {
  const id = randomBytes(8).toString('hex')
  try {
    const reservation = await store.reserveAttempt(countKey, { ...lockout, id }, Date.now())
    return { id, number: assertReserved(reservation) }
  } catch (error) {
    if (isDependencyDown(error)) void returnLater(countKey, id)
    throw error
  }
}

/** @throws E_ACCOUNT_LOCKED, E_TOO_MANY_REQUESTS */
function assertReserved(reservation: Reservation): number {
  switch (reservation.outcome) {
    case 'reserved':
      return reservation.number
    case 'locked':
      throw lockedRefusal(reservation.until)
    case 'exhausted':
      throw tooManyRequests(lockout.threshold, 1)
    default:
      return reservation satisfies never
  }
}

/** Returns an attempt whose password was not evaluated, at the latest once the store answers. */
export function returnAttempt(counted: Counted, { id }: ReservedAttempt) {
  return returnUnder(keyOf(counted), id)
}

export async function returnUnder(countKey: string, id: string) {
  try {
    await store.returnAttempt(countKey, id)
  } catch (error) {
    if (!isDependencyDown(error)) throw error
    void returnLater(countKey, id)
  }
}

function returnLater(countKey: string, id: string) {
  return retryLater(() => store.returnAttempt(countKey, id))
}

/** Forgets the failures of an e-mail, or of a known device alone, after a complete sign-in. */
export function clearAttempts(counted: Counted, trx?: Transaction) {
  return store.clearAttempts(keyOf(counted), trx)
}

/** Forgets the failures of a user on every device, and returns whether one of them was a lock. */
export async function clearAllAttempts({ id, email }: User, trx: Transaction) {
  const ends = [await clearAttempts({ email }, trx)]
  for (const deviceId of await deviceIdsOf(id, trx)) {
    ends.push(await clearAttempts({ email, knownDevice: { id: deviceId } }, trx))
  }
  return ends.some((until) => until !== null && until > Date.now())
}

/** Refuses attempts of an e-mail, or of a known device, until then. */
export function lockAttempts(counted: Counted, lock: AttemptsLock, trx: Transaction) {
  return store.lockAttempts(keyOf(counted), lock, trx)
}
