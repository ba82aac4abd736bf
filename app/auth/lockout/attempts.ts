import store from '#auth/store/service'
import { hashEmail } from './count_keys.ts'
import { deviceIdsOf } from '#auth/devices/known_devices'
import type { KnownDevice } from '#auth/devices/recognition'
import type { AttemptsLock } from '#auth/store/contract'
import type { Transaction } from '#database/transaction'
import type User from '#models/user'
import { type ReservedAttempt, reserveByKey, releaseByKey } from './reservations.ts'

export interface AttemptKey {
  email: string
  knownDevice?: KnownDevice | null
}

// A known device has its own count: an attacker who locks the e-mail does not lock its owner out.
function keyOf({ email, knownDevice }: AttemptKey) {
  return hashEmail(knownDevice ? `device:${knownDevice.id}` : email)
}

/**
 * Reserves an attempt before the hash, so that parallel guesses share one bound.
 * @throws E_ACCOUNT_LOCKED while locked, E_TOO_MANY_REQUESTS while every attempt is in use
 */
export function reserveAttempt(counted: AttemptKey): Promise<ReservedAttempt> {
  return reserveByKey(keyOf(counted))
}

export function releaseAttempt(counted: AttemptKey, { id }: ReservedAttempt) {
  return releaseByKey(keyOf(counted), id)
}

export function clearAttempts(counted: AttemptKey, trx?: Transaction) {
  return store.clearAttempts(keyOf(counted), trx)
}

export async function clearAllAttempts(user: User, trx: Transaction) {
  for (const counted of await attemptsOf(user, trx)) await clearAttempts(counted, trx)
}

/** @returns whether one of the counts was locked */
export async function unlockAllAttempts(user: User, trx: Transaction) {
  const ends = []
  for (const counted of await attemptsOf(user, trx))
    ends.push(await store.unlockAttempts(keyOf(counted), trx))
  return ends.some((until) => until !== null && until > Date.now())
}

async function attemptsOf({ id, email }: User, trx: Transaction): Promise<AttemptKey[]> {
  const deviceIds = await deviceIdsOf(id, trx)
  return [{ email }, ...deviceIds.map((deviceId) => ({ email, knownDevice: { id: deviceId } }))]
}

export function lockAttempts(counted: AttemptKey, lock: AttemptsLock, trx: Transaction) {
  return store.lockAttempts(keyOf(counted), lock, trx)
}
