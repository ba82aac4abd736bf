import User from '#models/user'
import store from '#auth/store/service'
import { E_INVALID_CODE, E_RECENT_LOGIN_REQUIRED, E_TOKEN_REVOKED } from '#auth/errors'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { assertCurrentPassword } from '#auth/passwords/current_password'
import { findActiveSession } from '#auth/sessions/active_session'
import { amrOf, recentFactors, suffice, type Factors } from '#auth/sessions/authentication'
import { clearCodeThrottle, throttleCode } from '#auth/lockout/throttle'
import { countCode, uncountCode } from './code_attempts.ts'
import { useCode } from './codes.ts'
import type { Actor } from '#audit/actor'

/*
 | A session that was stolen or left open must not be enough for a sensitive change (OWASP
 | ASVS 7.5.3): one of the ways in, of the address, or of an administrator. It needs each
 | factor of its user, in the request or proved by the session in the last minutes.
 */

/** What a request carries to prove who sent it. */
export interface Proof {
  currentPassword?: string
  code?: string
}

/** The user behind a request that changes something of their own. */
export interface ProvingCaller {
  userId: string
  /** The session of the caller; some changes end every other one. */
  sessionId: string
  actor: Actor
  proof: Proof
}

/**
 * The user of the caller, who has proved every factor that they have.
 *
 * @throws E_NOT_FOUND, and what `assertRecentProof` throws
 */
export async function getProvenCallerOrFail({ userId, sessionId, proof }: ProvingCaller) {
  const user = await User.find(userId)
  if (!user) throw new E_NOT_FOUND()
  await assertRecentProof(user, sessionId, proof)
  return user
}

/**
 * Refuses a change by a user who has not just proved who they are. Commands and the system
 * have no user and need no proof.
 *
 * @throws E_RECENT_LOGIN_REQUIRED
 */
export function assertProvenActor(actor: Actor) {
  if (actor.id !== null && !actor.hasRecentProof) throw new E_RECENT_LOGIN_REQUIRED()
}

/** @throws E_RECENT_LOGIN_REQUIRED, and what `hasRecentProof` throws */
export async function assertRecentProof(user: User, sessionId: string, proof: Proof) {
  if (!(await hasRecentProof(user, sessionId, proof))) throw new E_RECENT_LOGIN_REQUIRED()
}

/**
 * Whether each factor of the user was proved, by the request or recently by its session. What
 * the request carries is verified in any case: a wrong password is refused in a new session, too.
 *
 * @throws E_INCORRECT_PASSWORD, E_INVALID_CODE, E_MFA_SUSPENDED, E_TOKEN_REVOKED, and
 * E_TOO_MANY_REQUESTS after too many wrong ones
 */
export async function hasRecentProof(user: User, sessionId: string, proof: Proof) {
  const given = await verifyProof(user, proof)
  if (suffice(given, user)) return true
  const session = await findActiveSession(user.id, sessionId)
  if (!session) throw new E_TOKEN_REVOKED()
  const recent = await recentFactors(session)
  const first = given.first || recent.first
  return suffice({ first, second: given.second || recent.second }, user)
}

async function verifyProof(user: User, { currentPassword, code }: Proof): Promise<Factors> {
  if (currentPassword) await assertCurrentPassword(user, currentPassword)
  const hasCode = Boolean(user.mfaEnabled && code)
  if (hasCode) await verifyCode(user, code!)
  return { first: Boolean(currentPassword), second: hasCode }
}

async function verifyCode(user: User, code: string) {
  await throttleCode(user.id)
  await assertCode(user, code)
  await clearCodeThrottle(user.id)
}

/** A wrong code counts to those in a row, as at a sign-in; a right one here does not clear them. */
async function assertCode(user: User, code: string) {
  await countCode(user.id, code)
  const outcome = await useCode(user, code)
  if (outcome !== 'wrong') await uncountCode(user.id)
  if (outcome !== 'right') throw new E_INVALID_CODE()
}

/**
 * Verifies the password, and the code of a user with a second factor, and notes it in the
 * session: its sensitive changes need no further proof for some minutes.
 *
 * @throws what `hasRecentProof` throws
 */
export async function reauthenticate(user: User, sessionId: string, proof: Required<Proof>) {
  await assertCurrentPassword(user, proof.currentPassword)
  if (user.mfaEnabled) await verifyCode(user, proof.code)
  const amr = amrOf('password', Boolean(user.mfaEnabled))
  await store.reauthenticateSession({ userId: user.id, sessionId }, { amr, at: Date.now() })
}
