import db from '@adonisjs/lucid/services/db'
import { anonymousActor } from '#audit/actor'
import { record, type EventOf } from '#events/record'
import { lockedRefusal } from '#auth/lockout/reservations'
import { recordFailure } from '#auth/lockout/failures'
import { releaseAttempts, type Candidate } from './candidate.ts'
import type { StoppedSignIn } from './result.ts'

/** Records the stop in the trail: the password is known, perhaps to an attacker. */
export async function stopSignIn(candidate: Candidate, result: StoppedSignIn) {
  const { user, device, method } = candidate
  await releaseAttempts(candidate)
  const isChallenge = result.outcome === 'mfa_required'
  const about = { user, actor: anonymousActor(device) }
  const event: EventOf<'login.challenged'> | EventOf<'login.refused'> = isChallenge
    ? { ...about, type: 'login.challenged', details: { method } }
    : {
        ...about,
        type: 'login.refused',
        outcome: 'failure',
        details: { method, reason: result.outcome },
      }
  await db.transaction((trx) => record(trx, event))
  return result
}

/** The last attempt of the window locks the user or the device. */
export async function recordWrongPassword({ user, device, knownDevice, attempt }: Candidate) {
  const { email } = user
  const failure = await recordFailure({
    email,
    knownDevice,
    user,
    number: attempt!.number,
    actor: anonymousActor(device),
    reason: 'password',
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
