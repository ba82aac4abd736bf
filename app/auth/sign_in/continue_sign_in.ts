import db from '@adonisjs/lucid/services/db'
import env from '#start/env'
import { anonymousActor } from '#audit/actor'
import { recordAudit } from '#audit/trail'
import { lockedRefusal, recordFailure, returnAttempt } from '#auth/lockout/attempts'
import { openChallenge } from '#auth/mfa/challenge'
import { useCode } from '#auth/mfa/codes'
import { issueOneTimeToken } from '#auth/tokens/one_time_tokens'
import { orReturnAttempt, type Candidate } from './candidate.ts'
import { openSession } from './open_session.ts'
import type { SignInResult, StoppedSignIn } from './result.ts'
import type { Device } from '#auth/sessions/device'
import type User from '#models/user'

/** Continues every kind of sign-in once its first step has passed. */
export async function continueSignIn(candidate: Candidate): Promise<SignInResult> {
  const { user, device, code } = candidate
  const reason = refusalReason(user, device)
  if (reason) return stopSignIn(candidate, { outcome: reason })
  if (user.mustChangePassword && candidate.method === 'password')
    return requirePasswordChange(candidate)
  if (user.mfaEnabled && !code) return requireCode(candidate)
  if (user.mfaEnabled && !(await useCode(user, code!)))
    return recordFailedAttempt(candidate, 'code')
  return orReturnAttempt(user, openSession(candidate))
}

function refusalReason(user: User, device: Device) {
  if (user.isDisabled) return 'disabled'
  if (device.client === 'console' && !user.isAdmin) return 'not_admin'
  return env.get('REQUIRE_VERIFIED_EMAIL') && !user.isEmailVerified ? 'unverified' : null
}

/** The right password alone clears no failed attempts: they count until the second step succeeds. */
async function requireCode(candidate: Candidate) {
  const { user, method } = candidate
  return stopSignIn(candidate, { outcome: 'mfa_required', ...(await openChallenge(user, method)) })
}

/** Starts no session until the user has chosen a password. The next sign-in asks for the second factor. */
async function requirePasswordChange(candidate: Candidate) {
  const { user } = candidate
  const resetToken = await db.transaction((trx) =>
    issueOneTimeToken(user, { purpose: 'password_change' }, trx)
  )
  return stopSignIn(candidate, { outcome: 'password_change_required', resetToken })
}

/**
 * Ends a sign-in without a session although its first step was right. The trail records it:
 * the user has to learn that the password is known, perhaps to an attacker.
 */
async function stopSignIn({ user, device, method }: Candidate, result: StoppedSignIn) {
  await returnAttempt(user.email)
  const isChallenge = result.outcome === 'mfa_required'
  await db.transaction((trx) =>
    recordAudit(
      {
        action: isChallenge ? 'login.challenged' : 'login.refused',
        actor: anonymousActor(device),
        targetId: user.id,
        outcome: isChallenge ? 'success' : 'failure',
        details: { method, ...(!isChallenge && { reason: result.outcome }) },
      },
      trx
    )
  )
  return result
}

/** Counts the reserved attempt as failed; the last one of the window locks the user. */
export async function recordFailedAttempt(
  { user, device, attempt }: Candidate,
  reason: 'password' | 'code'
): Promise<StoppedSignIn> {
  const actor = anonymousActor(device)
  const failure = await recordFailure({ email: user.email, user, number: attempt, actor, reason })
  if (failure.lockedUntil) throw lockedRefusal(failure.lockedUntil)
  const outcome = reason === 'password' ? 'wrong_credentials' : 'wrong_code'
  return { outcome, attemptsRemaining: failure.attemptsRemaining }
}
