import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import store from '#auth/store/service'
import { E_MFA_SUSPENDED } from '#auth/errors'
import { recordFailure } from '#auth/lockout/failures'
import { record } from '#events/record'
import { codeCountKey, type CodeAttempt } from './code_attempts.ts'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'
import type User from '#models/user'

interface WrongCode {
  user: User
  attempt: CodeAttempt
  actor: Actor
}

/** The last wrong code of a window locks. @throws E_MFA_SUSPENDED if it suspends the factor */
export async function recordWrongCode({ user, attempt, actor }: WrongCode) {
  const isSuspending = await recordIfSuspending(user, { inARow: attempt.inARow, actor })
  const onLock = (until: number, trx: Transaction) => lockCodes(user, until, trx)
  const { email } = user
  const { number } = attempt
  const failure = await recordFailure({ email, user, number, actor, reason: 'code', onLock })
  if (isSuspending) throw new E_MFA_SUSPENDED()
  return failure
}

/** @returns whether this code suspends the factor */
export async function recordIfSuspending(
  user: User,
  { inARow, actor }: { inARow: number; actor: Actor }
) {
  if (inARow !== limits.wrongCodesInARow) return false
  const wrongCodes = limits.wrongCodesInARow
  const suspended = { type: 'mfa.suspended', user, actor, details: { wrongCodes } } as const
  await db.transaction((trx) => record(trx, { ...suspended, outcome: 'failure' }))
  return true
}

// One mail covers all locks until a second step completes.
async function lockCodes(user: User, until: number, trx: Transaction) {
  const now = Date.now()
  await store.lockAttempts(codeCountKey(user.id), { until, now }, trx)
  const row = () => trx.from('users').where('id', user.id)
  const locked = { mfa_locked_until: until }
  const first = Number(await row().whereNull('mfa_locked_until').update(locked))
  if (first === 0) await row().where('mfa_locked_until', '<=', now).update(locked)
  return first === 1
}
