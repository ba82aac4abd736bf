import db from '@adonisjs/lucid/services/db'
import lockout from '#config/lockout'
import { recordFlood } from '#audit/trail/coalesced_events'
import { recordAudit, type AuditEntry } from '#audit/trail'
import { ipPrefix } from './ip_prefix.ts'
import { isWithinFailureEvents } from './address_throttle.ts'
import { lockAttempts, type Counted } from './attempts.ts'
import type { Actor } from '#audit/actor'
import type { FailureReason } from '#events/details'
import type { AttemptsLock } from '#auth/store/contract'
import type { Transaction } from '#database/transaction'
import type User from '#models/user'

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
 * Beyond `limits.failureEvents` the failures of one address are counted into one event.
 *
 * @returns how many attempts remain; 0 when this one locked, until `lockedUntil`
 */
export async function recordFailure(attempt: FailedAttempt) {
  const attemptsRemaining = Math.max(0, lockout.threshold - attempt.number)
  const lockedUntil = attemptsRemaining === 0 ? Date.now() + lockout.durationMs : null
  const isCounted = lockedUntil === null && (await isOneOfMany(attempt.actor))
  if (isCounted) await recordOneOfMany(attempt)
  else {
    await db.transaction(async (trx) => {
      if (lockedUntil) await lockAfterFailures(attempt, lockedUntil, trx)
      await recordAudit(eventOf(attempt, attemptsRemaining), trx)
    })
  }
  return { attemptsRemaining, lockedUntil }
}

/** It is the address that decides: whether anybody has the e-mail must not show in the time. */
async function isOneOfMany({ ip }: Actor) {
  return ip !== null && !(await isWithinFailureEvents(ip))
}

/** Names no e-mail: the count that ends the flood is of all that the address has tried. */
function recordOneOfMany({ actor, reason }: FailedAttempt) {
  const entry = { action: 'login.failed', outcome: 'failure', targetId: null } as const
  return recordFlood({ ...entry, actor, details: { reason } }, ['address', ipPrefix(actor.ip!)])
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
