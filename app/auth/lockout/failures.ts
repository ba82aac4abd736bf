import db from '@adonisjs/lucid/services/db'
import lockout from '#config/lockout'
import { record, recordCoalesced, type EventOf } from '#events/record'
import { addressCause, exceedsFailureEvents } from './failure_events.ts'
import { lockAttempts, type AttemptKey } from './attempts.ts'
import type { Actor } from '#audit/actor'
import type { FailureReason } from '#events/details'
import type { AttemptsLock } from '#auth/store/contract'
import type { Transaction } from '#database/transaction'
import type User from '#models/user'

interface FailedAttempt extends AttemptKey {
  /** An unsaved user for an unknown e-mail, so that the response takes the same time. */
  user: User
  number: number
  actor: Actor
  reason: FailureReason
  /** @returns whether a mail tells the user about the lock; defaults to true */
  onLock?: (until: number, trx: Transaction) => Promise<boolean>
}

/** @returns the remaining attempts, and `lockedUntil` if this attempt caused a lock */
export async function recordFailure(attempt: FailedAttempt) {
  const attemptsRemaining = Math.max(0, lockout.threshold - attempt.number)
  const lockedUntil = attemptsRemaining === 0 ? Date.now() + lockout.durationMs : null
  const isOverLimit = await exceedsFailureEvents(attempt.actor)
  if (lockedUntil || !isOverLimit) {
    await db.transaction(async (trx) => {
      const isMailed = lockedUntil ? await lockAfterFailures(attempt, lockedUntil, trx) : false
      const mailedUntil = isMailed ? lockedUntil : null
      const event = eventOf(attempt, { attemptsRemaining, mailedUntil })
      await (isOverLimit ? recordOfUser(event, trx) : record(trx, event))
    })
  }
  if (isOverLimit) await recordOfAddress(attempt)
  return { attemptsRemaining, lockedUntil }
}

// Undoes the event and mail for an unknown e-mail: equal work must not tell which e-mails exist.
async function recordOfUser(event: FailureEvent, trx: Transaction) {
  if (event.user) await record(trx, event)
  const undone = await trx.transaction()
  if (!event.user) await record(undone, event)
  await undone.rollback()
}

function recordOfAddress({ actor, reason }: FailedAttempt) {
  const event = { type: 'login.failed', outcome: 'failure', user: null } as const
  return recordCoalesced({ ...event, actor, details: { reason } }, addressCause(actor))
}

type FailureEvent = EventOf<'login.failed' | 'device.locked'> | EventOf<'account.locked'>

function eventOf(
  { actor, user, email, reason, knownDevice }: FailedAttempt,
  { attemptsRemaining, mailedUntil }: { attemptsRemaining: number; mailedUntil: number | null }
): FailureEvent {
  const about = { actor, user: user.$isPersisted ? user : null, outcome: 'failure' } as const
  const failure = { email, reason, attemptsRemaining }
  const isLock = attemptsRemaining === 0
  if (knownDevice) {
    const type = isLock ? 'device.locked' : 'login.failed'
    return { ...about, type, details: { ...failure, knownDevice: true } }
  }
  if (!isLock) return { ...about, type: 'login.failed', details: failure }
  const mailed = mailedUntil === null ? undefined : { email, until: mailedUntil, reason }
  const details = { ...failure, lockKind: 'failures' } as const
  return { ...about, type: 'account.locked', details, context: { lockout: mailed } }
}

async function lockAfterFailures(attempt: FailedAttempt, until: number, trx: Transaction) {
  const lock = { until, now: Date.now() }
  if (!attempt.knownDevice) await lockUserRow(attempt.user.id, lock, trx)
  await lockAttempts(attempt, lock, trx)
  if (attempt.knownDevice) return false
  return attempt.onLock ? attempt.onLock(until, trx) : true
}

// Keeps a lock that is still in force: a lock by an administrator may be longer.
async function lockUserRow(userId: string, { until, now }: AttemptsLock, trx: Transaction) {
  await trx
    .from('users')
    .where('id', userId)
    .where((query) => query.whereNull('locked_until').orWhere('locked_until', '<=', now))
    .update({ locked_until: until, lock_kind: 'failures' })
}
