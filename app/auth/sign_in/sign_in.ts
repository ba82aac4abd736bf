import db from '@adonisjs/lucid/services/db'
import env from '#start/env'
import User from '#models/user'
import { E_INVALID_CREDENTIALS, E_INVALID_MFA_TOKEN } from '#auth/errors'
import { userActor, anonymousActor } from '#audit/actor'
import { recordAudit } from '#audit/trail'
import { issueAccessToken } from '#auth/tokens/access_tokens'
import { issueOneTimeToken } from '#auth/tokens/one_time_tokens'
import { mailNewDevice } from '#auth/sessions/new_device'
import { startSession, type StartedSession } from '#auth/sessions/sessions'
import { assertHashQueueHasRoom } from '#auth/passwords/hash_queue'
import { hashPassword, isHashOutdated, verifyPassword } from '#auth/passwords/password_hash'
import {
  closeChallenge,
  findChallengeOrFail,
  openChallenge,
  takeTryOrFail,
} from '#auth/mfa/challenge'
import { useCode } from '#auth/mfa/codes'
import {
  lockedRefusal,
  clearAttempts,
  recordFailure,
  reserveAttempt,
  returnAttempt,
} from '#auth/lockout/attempts'
import type { Device } from '#auth/sessions/device'
import type { Transaction } from '#auth/store/contract'

export interface SignInRequest {
  /** In its canonical form. */
  email: string
  password: string
  /** A one-time or backup code, where the client has asked for it already. */
  code?: string
  device: Device
}

/** How a sign-in ends, where the caller has a choice to make. A lock is thrown: nobody has. */
export type SignInResult =
  | (StartedSession & { outcome: 'signed_in'; user: User; accessToken: string })
  /** The second step is still to do; `expiresIn` is in seconds. */
  | { outcome: 'mfa_required'; mfaToken: string; expiresIn: number }
  | { outcome: 'wrong_credentials'; attemptsRemaining: number }
  | { outcome: 'wrong_code'; attemptsRemaining: number }
  /** Somebody else chose the password; the token sets another one, as a mailed link would. */
  | { outcome: 'password_change_required'; resetToken: string }
  | { outcome: 'disabled' }
  | { outcome: 'unverified' }
  | { outcome: 'not_admin' }

/** A user that is about to be signed in to, and what has been proved so far. */
interface Candidate {
  user: User
  device: Device
  /** `password`, or the external provider that vouches for it. */
  method: string
  /** The place among the attempts of the window that this sign-in holds. */
  attempt: number
  code?: string
  password?: string
  /** The challenge that this is the second step of. */
  mfaToken?: string
}

/**
 * Signs a user in with its password, on every way in.
 *
 * An e-mail that nobody has takes the same five steps with a user that was never
 * saved, so that neither the answer nor the work tells whether it exists.
 *
 * @throws E_ACCOUNT_LOCKED while locked or by the attempt that locks, E_TOO_MANY_REQUESTS
 * while all attempts of the window are in use, E_BUSY while the hashing queue is full
 */
export async function signIn({ email, ...request }: SignInRequest): Promise<SignInResult> {
  assertHashQueueHasRoom()
  const attempt = await reserveAttempt(email)
  const user = await findUserByName(email)
  await assertNotLocked(user)
  const isRight = await orReturnAttempt(user, verifyPassword(user.password, request.password))
  const candidate = { ...request, user, attempt, method: 'password' }
  return isRight ? continueSignIn(candidate) : refuse(candidate, 'password')
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

/** Signs a user in for which an external provider vouches: lock, MFA and disabling hold here, too. */
export async function signInExternally(request: {
  user: User
  device: Device
  method: string
}): Promise<SignInResult> {
  const attempt = await reserveAttempt(request.user.email)
  await assertNotLocked(request.user)
  return continueSignIn({ ...request, attempt })
}

async function findUserByName(email: string) {
  return (await User.findBy('email', email)) ?? unknownUser(email)
}

/** Stands in for a user that does not exist: saved nowhere, matched by nothing. */
function unknownUser(email: string) {
  return new User().fill({ id: '00000000-0000-0000-0000-000000000000', email, password: null })
}

/** The user's own lock outlives a store that lost its data. */
async function assertNotLocked(user: User) {
  if (!user.isLocked()) return
  await returnAttempt(user.email)
  throw lockedRefusal(user.lockedUntil!.toMillis())
}

/** Gives the attempt back where a step breaks off that was no wrong guess. */
async function orReturnAttempt<T>({ email }: User, step: Promise<T>): Promise<T> {
  try {
    return await step
  } catch (error) {
    await returnAttempt(email)
    throw error
  }
}

async function refuse(
  { user, device, attempt }: Candidate,
  reason: 'password' | 'code'
): Promise<SignInResult> {
  const actor = anonymousActor(device)
  const failure = await recordFailure({ email: user.email, user, number: attempt, actor, reason })
  if (failure.lockedUntil) throw lockedRefusal(failure.lockedUntil)
  const outcome = reason === 'password' ? 'wrong_credentials' : 'wrong_code'
  return { outcome, attemptsRemaining: failure.attemptsRemaining }
}

/** What follows the first step, whichever it was; nothing here is a guess that failed. */
async function continueSignIn(candidate: Candidate): Promise<SignInResult> {
  const { user, device, code } = candidate
  const reason = refusalReason(user, device)
  if (reason) return stopSignIn(candidate, { outcome: reason })
  if (user.mustChangePassword && candidate.method === 'password') return demandPassword(candidate)
  if (user.mfaEnabled && !code) return challenge(candidate)
  if (user.mfaEnabled && !(await useCode(user, code!))) return refuse(candidate, 'code')
  return orReturnAttempt(user, openSession(candidate))
}

function refusalReason(user: User, device: Device) {
  if (user.isDisabled) return 'disabled'
  if (device.client === 'console' && !user.isAdmin) return 'not_admin'
  return env.get('REQUIRE_VERIFIED_EMAIL') && !user.isEmailVerified ? 'unverified' : null
}

/**
 * The first step is right and no session starts. It goes into the trail: whoever knows a
 * password and stops here is what its owner has to hear of.
 */
async function stopSignIn({ user, device, method }: Candidate, result: SignInResult) {
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

/** A right password alone clears no failures: they are counted until the second step succeeds. */
async function challenge(candidate: Candidate): Promise<SignInResult> {
  const { user, method } = candidate
  return stopSignIn(candidate, { outcome: 'mfa_required', ...(await openChallenge(user, method)) })
}

/** No session until the owner has chosen a password; a second factor is asked for at the login that follows. */
async function demandPassword(candidate: Candidate): Promise<SignInResult> {
  const { user } = candidate
  const resetToken = await db.transaction((trx) => issueOneTimeToken(user, 'password_change', trx))
  return stopSignIn(candidate, { outcome: 'password_change_required', resetToken })
}

/**
 * Starts the session, if the user still is as it was when it was proved: one that was
 * disabled, locked, deleted, or given another password or a second factor meanwhile gets none.
 */
async function openSession(candidate: Candidate): Promise<SignInResult> {
  const { user, device, method } = candidate
  const rehashed = await rehash(candidate)
  return db.transaction(async (trx) => {
    if (!(await markLogin(user, rehashed, trx))) throw new E_INVALID_CREDENTIALS()
    await spendChallenge(candidate, trx)
    await clearAttempts(user.email, trx)
    const started = await startSession(user, device, trx)
    await mailNewDevice(user, started.session, trx)
    const { id: sessionId, deviceName } = started.session
    const details = { sessionId, deviceName, method, mfa: Boolean(user.mfaEnabled) }
    const actor = userActor(user.id, device)
    await recordAudit({ action: 'login.succeeded', actor, targetId: user.id, details }, trx)
    const accessToken = issueAccessToken(user, sessionId)
    return { outcome: 'signed_in', user, accessToken, ...started }
  })
}

/** A hash of an older cost or kind is replaced while the password is at hand. */
async function rehash({ user, password }: Candidate) {
  if (!password || !isHashOutdated(user.password!)) return null
  return hashPassword(password)
}

/** A challenge leads to one session, however many right codes arrive at once. */
async function spendChallenge({ mfaToken }: Candidate, trx: Transaction) {
  if (mfaToken && !(await closeChallenge(mfaToken, trx))) throw new E_INVALID_MFA_TOKEN()
}

async function markLogin(user: User, rehashed: string | null, trx: Transaction) {
  const now = Date.now()
  const changed = await trx
    .from('users')
    .where({
      id: user.id,
      role: user.role,
      password_changed_at: user.passwordChangedAt!.toMillis(),
      mfa_enabled: Boolean(user.mfaEnabled),
    })
    .whereNull('disabled_at')
    .where((free) => free.whereNull('locked_until').orWhere('locked_until', '<=', now))
    .update({ last_login_at: now, ...(rehashed && { password: rehashed }) })
  return Number(changed) === 1
}
