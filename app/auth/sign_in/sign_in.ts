import db from '@adonisjs/lucid/services/db'
import env from '#start/env'
import User from '#models/user'
import { anonymousActor } from '#audit/actor'
import { recordAudit } from '#audit/trail'
import { lockedRefusal, recordFailure, reserveAttempt, returnAttempt } from '#auth/lockout/attempts'
import { getChallengeOrFail, openChallenge, takeTryOrFail } from '#auth/mfa/challenge'
import { useCode } from '#auth/mfa/codes'
import { assertHashQueueHasRoom } from '#auth/passwords/hash_queue'
import { verifyPassword } from '#auth/passwords/password_hash'
import { issueOneTimeToken } from '#auth/tokens/one_time_tokens'
import { assertNotLocked, orReturnAttempt, type Candidate } from './candidate.ts'
import { openSession } from './open_session.ts'
import type { SignInResult, StoppedSignIn } from './result.ts'
import type { Device } from '#auth/sessions/device'

export interface SignInRequest {
  /** In its canonical form. */
  email: string
  password: string
  /** A one-time or backup code, if the client has asked the user for it already. */
  code?: string
  device: Device
}

/**
 * Signs a user in with a password. The steps are always the same: room in the hash queue, a
 * reserved attempt, the user, the lock, the hash, and then those of `continueSignIn`.
 *
 * An unknown address takes the same steps with a user who was never saved, so that neither
 * the answer nor its time tells an attacker whether the address has an account.
 *
 * @throws E_ACCOUNT_LOCKED while locked or by the attempt that locks, E_TOO_MANY_REQUESTS
 * while all attempts of the window are in use, E_BUSY while the hash queue is full
 */
export async function signIn({ email, ...request }: SignInRequest): Promise<SignInResult> {
  assertHashQueueHasRoom()
  const attempt = await reserveAttempt(email)
  const user = (await User.findBy('email', email)) ?? unknownUser(email)
  await assertNotLocked(user)
  const isRight = await orReturnAttempt(user, verifyPassword(user.password, request.password))
  const candidate = { ...request, user, attempt, method: 'password' }
  return isRight ? continueSignIn(candidate) : recordFailedAttempt(candidate, 'password')
}

/**
 * The second step of a sign-in: verifies the code for a challenge.
 *
 * @throws E_INVALID_MFA_TOKEN for a challenge that has ended, E_ACCOUNT_LOCKED as `signIn`
 */
export async function verifyMfaChallenge(request: {
  mfaToken: string
  code: string
  device: Device
}): Promise<SignInResult> {
  const { user, method } = await getChallengeOrFail(request.mfaToken)
  const attempt = await reserveAttempt(user.email)
  await assertNotLocked(user)
  await orReturnAttempt(user, takeTryOrFail(request.mfaToken))
  return continueSignIn({ ...request, user, attempt, method })
}

/** Signs in a user whom an external provider has identified. Lock, MFA and disabling apply as well. */
export async function signInExternally(request: {
  user: User
  device: Device
  method: string
}): Promise<SignInResult> {
  const attempt = await reserveAttempt(request.user.email)
  await assertNotLocked(request.user)
  return continueSignIn({ ...request, attempt })
}

/** A user in memory for an unknown address: no password matches it. */
function unknownUser(email: string) {
  return new User().fill({ id: '00000000-0000-0000-0000-000000000000', email, password: null })
}

/** Continues every kind of sign-in once its first step has passed. */
async function continueSignIn(candidate: Candidate): Promise<SignInResult> {
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
async function recordFailedAttempt(
  { user, device, attempt }: Candidate,
  reason: 'password' | 'code'
): Promise<StoppedSignIn> {
  const actor = anonymousActor(device)
  const failure = await recordFailure({ email: user.email, user, number: attempt, actor, reason })
  if (failure.lockedUntil) throw lockedRefusal(failure.lockedUntil)
  const outcome = reason === 'password' ? 'wrong_credentials' : 'wrong_code'
  return { outcome, attemptsRemaining: failure.attemptsRemaining }
}
