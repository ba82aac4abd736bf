import { randomBytes } from 'node:crypto'
import lockout from '#config/lockout'
import store from '#auth/store/service'
import { retryLater } from '#auth/store/late_store'
import { tooManyRequests } from './rate_limit.ts'
import { E_ACCOUNT_LOCKED } from '#auth/errors'
import { isDependencyDown } from '#exceptions/dependency_failures'
import type { Reservation } from '#auth/store/contract'

/** Shows a lock by an administrator like a lock by failures: clients must not see a difference. */
export function lockedRefusal(until: number) {
  const left = Math.max(1, until - Date.now())
  const shown = ((left - 1) % lockout.durationMs) + 1
  return new E_ACCOUNT_LOCKED().retryAfter(shown / 1_000)
}

export interface ReservedAttempt {
  id: string
  number: number
}

/** If the store did not answer in time, it may have counted: the attempt is returned later. */
export async function reserveByKey(countKey: string): Promise<ReservedAttempt> {
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

export async function releaseByKey(countKey: string, id: string) {
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
