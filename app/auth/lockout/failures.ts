import db from '@adonisjs/lucid/services/db'
import lockout from '#config/lockout'
import { recordAudit, type AuditEntry } from '#audit/trail'
import { lockAttempts, type Counted } from './attempts.ts'
import type { Actor } from '#audit/actor'
import type { AttemptsLock } from '#auth/store/contract'
import type { Transaction } from '#database/transaction'
import type User from '#models/user'

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
  await lockAttempts(attempt, lock, trx)
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
