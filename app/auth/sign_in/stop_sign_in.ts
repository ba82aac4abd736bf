import db from '@adonisjs/lucid/services/db'
import { anonymousActor } from '#audit/actor'
import { recordAudit } from '#audit/trail'
import { lockedRefusal } from '#auth/lockout/attempts'
import { recordFailure } from '#auth/lockout/failures'
import { queueAccountLockedMail } from '#mails/queue/queue_mail'
import { returnReserved, type Candidate } from './candidate.ts'
import type { StoppedSignIn } from './result.ts'

/**
 * Ends a sign-in without a session although its first step was right. The trail records it:
 * the user has to learn that the password is known, perhaps to an attacker.
 */
export async function stopSignIn(candidate: Candidate, result: StoppedSignIn) {
  const { user, device, method } = candidate
  await returnReserved(candidate)
  const isChallenge = result.outcome === 'mfa_required'
  const action = isChallenge ? 'login.challenged' : 'login.refused'
  const outcome = isChallenge ? 'success' : 'failure'
  const details = { method, ...(!isChallenge && { reason: result.outcome }) }
  const entry = {
    action,
    actor: anonymousActor(device),
    targetId: user.id,
    outcome,
    details,
  } as const
  await db.transaction((trx) => recordAudit(entry, trx))
  return result
}

/** Counts the reserved attempt as failed; the last one of the window locks the user or the device. */
export async function recordWrongPassword({ user, device, knownDevice, attempt }: Candidate) {
  const { email } = user
  const failure = await recordFailure({
    email,
    knownDevice,
    user,
    number: attempt!.number,
    actor: anonymousActor(device),
    reason: 'password',
    onLock: (until, trx) => queueAccountLockedMail(email, { until, reason: 'password' }, trx),
  })
  return failureResult('wrong_credentials', failure)
}

export function failureResult(
  outcome: 'wrong_credentials' | 'wrong_code',
  { lockedUntil, attemptsRemaining }: Awaited<ReturnType<typeof recordFailure>>
): StoppedSignIn {
  if (lockedUntil) throw lockedRefusal(lockedUntil)
  return { outcome, attemptsRemaining }
}
