import db from '@adonisjs/lucid/services/db'
import env from '#start/env'
import User from '#models/user'
import { anonymousActor } from '#audit/actor'
import { recordAudit } from '#audit/trail'
import { lockedRefusal, recordFailure, reserveAttempt, returnAttempt } from '#auth/lockout/attempts'
import { findChallengeOrFail, openChallenge, takeTryOrFail } from '#auth/mfa/challenge'
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
  /** A one-time or backup code, where the client has asked for it already. */
  code?: string
  device: Device
}

/**
 * Signs a user in with their password, on every way in: room in the hash queue, a
 * reserved attempt, the user, the lock, the hash, and then what `continueSignIn` asks for.
 *
 * An unknown e-mail takes the same steps with a user who was never saved, so that neither
 * the answer nor the work tells whether the address exists.
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
  return isRight ? continueSignIn(candidate) : recordWrongGuess(candidate, 'password')
}

/**
 * The second step of a sign-in: the code for a challenge.
 *
 * @throws E_INVALID_MFA_TOKEN for a challenge that is over, E_ACCOUNT_LOCKED as `signIn`
 */
export async function verifyMfaChallenge(request: {
  mfaToken: string
  code: string
  device: Device
}): Promise<SignInResult> {
  const { user, method } = await findChallengeOrFail(request.mfaToken)
  const attempt = await reserveAttempt(user.email)
  await assertNotLocked(user)
  await orReturnAttempt(user, takeTryOrFail(request.mfaToken))
  return continueSignIn({ ...request, user, attempt, method })
}

/** Signs in a user whom an external provider has identified: lock, MFA and disabling hold here, too. */
export async function signInExternally(request: {
  user: User
  device: Device
  method: string
}): Promise<SignInResult> {
  const attempt = await reserveAttempt(request.user.email)
  await assertNotLocked(request.user)
  return continueSignIn({ ...request, attempt })
}

/** Stands in for a user who does not exist: it is saved nowhere, and no password matches it. */
function unknownUser(email: string) {
  return new User().fill({ id: '00000000-0000-0000-0000-000000000000', email, password: null })
}

/** Every way in continues here once its first step has passed. */
async function continueSignIn(candidate: Candidate): Promise<SignInResult> {
  const { user, device, code } = candidate
  const reason = refusalReason(user, device)
  if (reason) return stopSignIn(candidate, { outcome: reason })
  if (user.mustChangePassword && candidate.method === 'password') return demandPassword(candidate)
  if (user.mfaEnabled && !code) return demandCode(candidate)
  if (user.mfaEnabled && !(await useCode(user, code!))) return recordWrongGuess(candidate, 'code')
  return orReturnAttempt(user, openSession(candidate))
}

function refusalReason(user: User, device: Device) {
  if (user.isDisabled) return 'disabled'
  if (device.client === 'console' && !user.isAdmin) return 'not_admin'
  return env.get('REQUIRE_VERIFIED_EMAIL') && !user.isEmailVerified ? 'unverified' : null
}

/** A right password alone clears no failures: they are counted until the second step succeeds. */
async function demandCode(candidate: Candidate) {
  const { user, method } = candidate
  return stopSignIn(candidate, { outcome: 'mfa_required', ...(await openChallenge(user, method)) })
}

/** No session until the user has chosen a password; a second factor is asked for at the sign-in that follows. */
async function demandPassword(candidate: Candidate) {
  const { user } = candidate
  const resetToken = await db.transaction((trx) => issueOneTimeToken(user, 'password_change', trx))
  return stopSignIn(candidate, { outcome: 'password_change_required', resetToken })
}

/**
 * The first step is right and no session starts. The trail records it, because the owner
 * has to learn that somebody knows the password.
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

/** Counts the reserved attempt as a failure; the last one of the window locks. */
async function recordWrongGuess(
  { user, device, attempt }: Candidate,
  reason: 'password' | 'code'
): Promise<StoppedSignIn> {
  const actor = anonymousActor(device)
  const failure = await recordFailure({ email: user.email, user, number: attempt, actor, reason })
  if (failure.lockedUntil) throw lockedRefusal(failure.lockedUntil)
  const outcome = reason === 'password' ? 'wrong_credentials' : 'wrong_code'
  return { outcome, attemptsRemaining: failure.attemptsRemaining }
}
