import db from '@adonisjs/lucid/services/db'
import { anonymousActor } from '#audit/actor'
import { recordAudit } from '#audit/trail'
import { lockedRefusal } from '#auth/lockout/attempts'
import { recordFailure } from '#auth/lockout/failures'
import { recordWrongCode, reserveCode } from '#auth/mfa/code_attempts'
import { queueAccountLockedMail } from '#mails/queue_mail'
import lockout from '#config/lockout'
import { openChallenge } from '#auth/mfa/challenge'
import { useCode } from '#auth/mfa/codes'
import { issueOneTimeToken } from '#auth/tokens/one_time_tokens'
import { lacksVerifiedEmail } from '#auth/verified_email'
import { orReturnReserved, returnReserved, type Candidate } from './candidate.ts'
import { openSession } from './open_session.ts'
import { orRecordLocked } from './refused_while_locked.ts'
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
  return user.mfaEnabled ? completeSecondStep(candidate) : complete(candidate)
}

function complete(candidate: Candidate) {
  return orReturnReserved(candidate, openSession(candidate))
}

/** A code that was right but used already is no guess: of several requests with one, one wins. */
async function completeSecondStep(candidate: Candidate): Promise<SignInResult> {
  const { user } = candidate
  const code = candidate.code!
  const codeAttempt = await orReturnReserved(
    candidate,
    orRecordLocked({ ...candidate, email: user.email }, reserveCode(user, code))
  )
  const reserved = { ...candidate, codeAttempt }
  const outcome = await orReturnReserved(reserved, useCode(user, code))
  if (outcome === 'right') return complete(reserved)
  return outcome === 'used' ? refuseUsedCode(reserved) : refuseWrongCode(reserved)
}

async function refuseUsedCode(candidate: Candidate): Promise<StoppedSignIn> {
  const attemptsRemaining = lockout.threshold - candidate.codeAttempt!.number + 1
  return stopSignIn(candidate, { outcome: 'wrong_code', attemptsRemaining })
}

/** The password was right: its attempt is returned, and only that of the code stays counted. */
async function refuseWrongCode({ codeAttempt, ...candidate }: Candidate) {
  const { user, device } = candidate
  await returnReserved(candidate)
  const actor = anonymousActor(device)
  const failure = await recordWrongCode({ user, attempt: codeAttempt!, actor })
  return failureResult('wrong_code', failure)
}

function refusalReason(user: User, device: Device) {
  if (user.isDisabled) return 'disabled'
  if (device.client === 'console' && !user.isAdmin) return 'not_admin'
  return lacksVerifiedEmail(user.isEmailVerified) ? 'unverified' : null
}

/** The right password alone clears no failed attempts: they count until the second step succeeds. */
async function requireCode(candidate: Candidate) {
  const challenge = await openChallenge(candidate)
  return stopSignIn(candidate, { outcome: 'mfa_required', ...challenge })
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
async function stopSignIn(candidate: Candidate, result: StoppedSignIn) {
  const { user, device, method } = candidate
  await returnReserved(candidate)
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

/** Counts the reserved attempt as failed; the last one of the window locks the user or the device. */
export async function recordWrongPassword({ user, device, knownDevice, attempt }: Candidate) {
  const { email } = user
  const failure = await recordFailure({
    email,
    knownDevice,
    user,
    number: attempt!,
    actor: anonymousActor(device),
    reason: 'password',
    onLock: (until, trx) => queueAccountLockedMail(email, { until, reason: 'password' }, trx),
  })
  return failureResult('wrong_credentials', failure)
}

function failureResult(
  outcome: 'wrong_credentials' | 'wrong_code',
  { lockedUntil, attemptsRemaining }: Awaited<ReturnType<typeof recordFailure>>
): StoppedSignIn {
  if (lockedUntil) throw lockedRefusal(lockedUntil)
  return { outcome, attemptsRemaining }
}
