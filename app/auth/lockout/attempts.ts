import db from '@adonisjs/lucid/services/db'
import lockout from '#config/lockout'
import store from '#auth/store/service'
import { tooManyRequests } from './rate_limit.ts'
import { E_ACCOUNT_LOCKED } from '#auth/errors'
import { hashEmail } from '#auth/email'
import { recordAudit } from '#audit/trail'
import type { Actor } from '#audit/actor'
import type { Reservation } from '#auth/store/contract'
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

/**
 * Takes one of the attempts that a window allows, before a password is verified: however
 * many requests an attacker sends in parallel, no more guesses than that are evaluated.
 *
 * @returns the attempt's number, from 1 to the threshold
 * @throws E_ACCOUNT_LOCKED while locked, E_TOO_MANY_REQUESTS while every attempt is in use
 */
export async function reserveAttempt(email: string): Promise<number> {
  const reservation = await store.reserveAttempt(hashEmail(email), lockout, Date.now())
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
export function returnAttempt(email: string) {
  return store.returnAttempt(hashEmail(email))
}

/** Forgets the failures of an e-mail, after a complete sign-in or an unlock. */
export function clearAttempts(email: string, trx?: Transaction) {
  return store.clearAttempts(hashEmail(email), trx)
}

/** What was wrong. */
export type FailureReason = 'password' | 'code'

interface FailedAttempt {
  email: string
  /** For an unknown e-mail a user that is not saved: it takes the same steps. */
  user: User
  /** From `reserveAttempt`. */
  number: number
  actor: Actor
  reason: FailureReason
  /** Runs in the transaction of the lock: the mail about it. */
  onLock: (until: number, trx: Transaction) => Promise<unknown>
}

/**
 * Records a failed attempt and locks at the threshold.
 *
 * @returns how many attempts remain; 0 when this one locked the user, until `lockedUntil`
 */
export async function recordFailure(attempt: FailedAttempt) {
  const attemptsRemaining = Math.max(0, lockout.threshold - attempt.number)
  const lockedUntil = attemptsRemaining === 0 ? Date.now() + lockout.durationMs : null
  await db.transaction(async (trx) => {
    if (lockedUntil) await lockAfterFailures(attempt, lockedUntil, trx)
    const { actor, user, email, reason } = attempt
    await recordAudit(
      {
        action: lockedUntil ? 'account.locked' : 'login.failed',
        actor,
        targetId: user.$isPersisted ? user.id : null,
        outcome: 'failure',
        details: { email, reason, attemptsRemaining },
      },
      trx
    )
  })
  return { attemptsRemaining, lockedUntil }
}

async function lockAfterFailures(
  { email, user, onLock }: FailedAttempt,
  until: number,
  trx: Transaction
) {
  const now = Date.now()
  await trx
    .from('users')
    .where('id', user.id)
    .where((query) => query.whereNull('locked_until').orWhere('locked_until', '<=', now))
    .update({ locked_until: until, lock_kind: 'failures' })
  await store.lockAttempts(hashEmail(email), { until, now }, trx)
  await onLock(until, trx)
}
