import db from '@adonisjs/lucid/services/db'
import lockout from '#config/lockout'
import store from '#auth/store/service'
import { tooManyRequests } from './rate_limit.ts'
import { E_ACCOUNT_LOCKED } from '#auth/errors'
import { hashEmail } from '#auth/email'
import { deviceIdsOf } from '#auth/devices/known_devices'
import { recordAudit, type AuditEntry } from '#audit/trail'
import type { Actor } from '#audit/actor'
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

/**
 * Takes one of the attempts that a window allows, before a password is verified: however
 * many requests an attacker sends in parallel, no more guesses than that are evaluated.
 *
 * @returns the attempt's number, from 1 to the threshold
 * @throws E_ACCOUNT_LOCKED while locked, E_TOO_MANY_REQUESTS while every attempt is in use
 */
export async function reserveAttempt(counted: Counted): Promise<number> {
  const reservation = await store.reserveAttempt(keyOf(counted), lockout, Date.now())
  return assertReserved(reservation)
}

/** @throws E_ACCOUNT_LOCKED, E_TOO_MANY_REQUESTS */
export function assertReserved(reservation: Reservation): number {
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

/** Returns an attempt whose password was not evaluated. */
export function returnAttempt(counted: Counted) {
  return store.returnAttempt(keyOf(counted))
}

/** Forgets the failures of an e-mail, or of a known device alone, after a complete sign-in. */
export function clearAttempts(counted: Counted, trx?: Transaction) {
  return store.clearAttempts(keyOf(counted), trx)
}

/** Forgets the failures of a user on every device, after an unlock. */
export async function clearAllAttempts({ id, email }: User, trx: Transaction) {
  await clearAttempts({ email }, trx)
  for (const deviceId of await deviceIdsOf(id, trx)) {
    await clearAttempts({ email, knownDevice: { id: deviceId } }, trx)
  }
}

/** What was wrong. */
export type FailureReason = 'password' | 'code'

interface FailedAttempt extends Counted {
  /** For an unknown e-mail a user that is not saved: it takes the same steps. */
  user: User
  /** From `reserveAttempt`. */
  number: number
  actor: Actor
  reason: FailureReason
  /** Runs in the transaction of the user's lock: the mail about it. */
  onLock: (until: number, trx: Transaction) => Promise<unknown>
}

/**
 * Records a failed attempt and locks at the threshold: the user, or the known device alone.
 *
 * @returns how many attempts remain; 0 when this one locked, until `lockedUntil`
 */
export async function recordFailure(attempt: FailedAttempt) {
  const attemptsRemaining = Math.max(0, lockout.threshold - attempt.number)
  const lockedUntil = attemptsRemaining === 0 ? Date.now() + lockout.durationMs : null
  await db.transaction(async (trx) => {
    if (lockedUntil) await lockAfterFailures(attempt, lockedUntil, trx)
    await recordAudit(eventOf(attempt, attemptsRemaining), trx)
  })
  return { attemptsRemaining, lockedUntil }
}

function eventOf(attempt: FailedAttempt, attemptsRemaining: number): AuditEntry {
  const { actor, user, email, reason, knownDevice } = attempt
  const locked = knownDevice ? 'device.locked' : 'account.locked'
  const isLock = attemptsRemaining === 0
  return {
    action: isLock ? locked : 'login.failed',
    actor,
    targetId: user.$isPersisted ? user.id : null,
    outcome: 'failure',
    details: {
      email,
      reason,
      attemptsRemaining,
      ...(isLock && !knownDevice && { lockKind: 'failures' }),
      ...(knownDevice && { knownDevice: true }),
    },
  }
}

async function lockAfterFailures(attempt: FailedAttempt, until: number, trx: Transaction) {
  const lock = { until, now: Date.now() }
  if (!attempt.knownDevice) await lockUserRow(attempt.user.id, lock, trx)
  await store.lockAttempts(keyOf(attempt), lock, trx)
  if (!attempt.knownDevice) await attempt.onLock(until, trx)
}

/** A lock that holds already stays as it is: one by an administrator may be longer. */
async function lockUserRow(userId: string, { until, now }: AttemptsLock, trx: Transaction) {
  await trx
    .from('users')
    .where('id', userId)
    .where((query) => query.whereNull('locked_until').orWhere('locked_until', '<=', now))
    .update({ locked_until: until, lock_kind: 'failures' })
}
