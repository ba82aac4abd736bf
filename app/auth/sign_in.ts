import db from '@adonisjs/lucid/services/db'
import env from '#start/env'
import User from '#models/user'
import { E_INVALID_CREDENTIALS } from '#auth/errors'
import { userActor, anonymousActor } from '#audit/actor'
import { recordAudit } from '#audit/trail'
import { issueOneTimeToken } from '#auth/tokens/one_time_tokens'
import { issueAccessToken } from '#auth/tokens/access_tokens'
import { noticeNewDevice } from '#auth/sessions/new_device'
import { startSession, type StartedSession } from '#auth/sessions/registry'
import { assertGateHasRoom } from '#auth/passwords/hashing_gate'
import { hashPassword, isHashOutdated, verifyPassword } from '#auth/passwords/password_hash'
import {
  accountLocked,
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
  device: Device
}

/** How a sign-in ends, where the caller has a choice to make. A lock is thrown: nobody has. */
export type SignInResult =
  | (StartedSession & { outcome: 'signed_in'; user: User; accessToken: string })
  | { outcome: 'wrong_credentials'; attemptsRemaining: number }
  | { outcome: 'disabled' }
  | { outcome: 'unverified' }
  | { outcome: 'not_admin' }
  /** The password is right, but somebody else chose it: the token replaces it. */
  | { outcome: 'password_change_required'; resetToken: string }

/**
 * Signs an account in with its password, on every way in.
 *
 * An e-mail that nobody has takes the same five steps with an account that was never
 * saved, so that neither the answer nor the work tells whether it exists.
 *
 * @throws E_ACCOUNT_LOCKED while locked or by the attempt that locks, E_TOO_MANY_REQUESTS
 * while all attempts of the window are in use, E_BUSY while the hashing queue is full
 */
export async function signIn(request: SignInRequest): Promise<SignInResult> {
  assertGateHasRoom()
  const number = await reserveAttempt(request.email)
  const user = await findAccount(request.email)
  await assertNotLocked(user, request)
  const isRight = await evaluatePassword(user, request)
  return isRight ? admit(user, request) : refuse(user, request, number)
}

async function findAccount(email: string) {
  return (await User.findBy('email', email)) ?? unknownAccount(email)
}

/** Stands in for an account that does not exist: saved nowhere, matched by nothing. */
function unknownAccount(email: string) {
  return new User().fill({ id: '00000000-0000-0000-0000-000000000000', email, password: null })
}

/** The account's own lock outlives a store that lost its data. */
async function assertNotLocked(user: User, { email }: SignInRequest) {
  if (!user.isLocked()) return
  await returnAttempt(email)
  throw accountLocked(user.lockedUntil!.toMillis())
}

async function evaluatePassword(user: User, { email, password }: SignInRequest) {
  try {
    return await verifyPassword(user.password, password)
  } catch (error) {
    await returnAttempt(email)
    throw error
  }
}

async function refuse(
  user: User,
  { email, device }: SignInRequest,
  number: number
): Promise<SignInResult> {
  const actor = anonymousActor(device)
  const failure = await recordFailure({ email, user, number, actor, reason: 'password' })
  if (failure.lockedUntil) throw accountLocked(failure.lockedUntil)
  return { outcome: 'wrong_credentials', attemptsRemaining: failure.attemptsRemaining }
}

async function admit(user: User, request: SignInRequest): Promise<SignInResult> {
  if (user.isDisabled) return { outcome: 'disabled' }
  if (request.device.client === 'console' && !user.isAdmin) return { outcome: 'not_admin' }
  if (env.get('REQUIRE_VERIFIED_EMAIL') && !user.isEmailVerified) return { outcome: 'unverified' }
  if (user.mustChangePassword) return requirePasswordChange(user)
  return openSession(user, request)
}

/** No session until the owner has chosen a password: the token is good for that and no more. */
async function requirePasswordChange(user: User): Promise<SignInResult> {
  return db.transaction(async (trx) => {
    await clearAttempts(user.email, trx)
    const resetToken = await issueOneTimeToken(user, 'password_reset', trx)
    return { outcome: 'password_change_required', resetToken }
  })
}

/**
 * Starts the session, if the account still is as it was when the password was checked:
 * one that was disabled, deleted or given another password meanwhile gets none.
 */
async function openSession(user: User, request: SignInRequest): Promise<SignInResult> {
  const { email, password, device } = request
  const rehashed = isHashOutdated(user.password!) ? await hashPassword(password) : null
  return db.transaction(async (trx) => {
    const isUnchanged = await markLogin(user, rehashed, trx)
    if (!isUnchanged) throw new E_INVALID_CREDENTIALS()
    await clearAttempts(email, trx)
    const started = await startSession(user, device, trx)
    await noticeNewDevice(user, started.session, trx)
    await recordAudit(
      {
        action: 'login.succeeded',
        actor: userActor(user.id, device),
        targetId: user.id,
        details: { sessionId: started.session.id, deviceName: started.session.deviceName },
      },
      trx
    )
    const accessToken = issueAccessToken(user, started.session.id)
    return { outcome: 'signed_in', user, accessToken, ...started }
  })
}

async function markLogin(user: User, rehashed: string | null, trx: Transaction) {
  const changed = await trx
    .from('users')
    .where({ id: user.id, password_changed_at: user.passwordChangedAt!.toMillis() })
    .whereNull('disabled_at')
    .update({ last_login_at: Date.now(), ...(rehashed && { password: rehashed }) })
  return Number(changed) === 1
}
