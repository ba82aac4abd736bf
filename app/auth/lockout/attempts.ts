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

/** Shows a lock by an administrator like one after failures: a client must not tell them apart. */
export function lockedRefusal(until: number) {
  const left = Math.max(1, until - Date.now())
  const shown = ((left - 1) % lockout.durationMs) + 1
  return new E_ACCOUNT_LOCKED().retryAfter(shown / 1_000)
}

export interface AttemptKey {
  email: string
  knownDevice?: KnownDevice | null
}

// A known device counts apart: an attacker who locks the e-mail does not lock its owner out.
function keyOf({ email, knownDevice }: AttemptKey) {
  return hashEmail(knownDevice ? `device:${knownDevice.id}` : email)
}

export interface ReservedAttempt {
  id: string
  number: number
}

/**
 * Reserves an attempt before the hash, so that parallel guesses share one bound.
 * @throws E_ACCOUNT_LOCKED while locked, E_TOO_MANY_REQUESTS while every attempt is in use
 */
export function reserveAttempt(counted: AttemptKey): Promise<ReservedAttempt> {
  return reserveUnder(keyOf(counted))
}

/** A store that did not answer in time may have counted: the attempt is returned later. */
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

export function returnAttempt(counted: AttemptKey, { id }: ReservedAttempt) {
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

export function clearAttempts(counted: AttemptKey, trx?: Transaction) {
  return store.clearAttempts(keyOf(counted), trx)
}

/** @returns whether one of the cleared counts was a lock */
export async function clearAllAttempts({ id, email }: User, trx: Transaction) {
  const ends = [await clearAttempts({ email }, trx)]
  for (const deviceId of await deviceIdsOf(id, trx)) {
    ends.push(await clearAttempts({ email, knownDevice: { id: deviceId } }, trx))
  }
  return ends.some((until) => until !== null && until > Date.now())
}

export function lockAttempts(counted: AttemptKey, lock: AttemptsLock, trx: Transaction) {
  return store.lockAttempts(keyOf(counted), lock, trx)
}
