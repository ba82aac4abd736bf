import type User from '#models/user'
import { E_RECENT_LOGIN_REQUIRED, E_TOKEN_REVOKED } from '#auth/errors'
import { findActiveSession } from '#auth/sessions/active_session'
import { recentFactors, suffice } from '#auth/sessions/authentication'
import { assertCurrentPassword } from '#auth/passwords/current_password'
import { verifyCode, type Proof } from './verify_proof.ts'

/** @throws E_RECENT_LOGIN_REQUIRED, and what `hasRecentProof` throws */
export async function assertRecentProof(user: User, sessionId: string, proof: Proof) {
  if (!(await hasRecentProof(user, sessionId, proof))) throw new E_RECENT_LOGIN_REQUIRED()
}

/**
 * Whether each factor of the user was proved, by the request or recently by its session. What
 * the request carries is verified in any case: a wrong password is refused in a new session, too.
 * A code is not, unless the first factor was proved: the thief of a session could otherwise
 * guess codes, and suspend the second factor of its owner.
 *
 * @throws E_INCORRECT_PASSWORD, E_INVALID_CODE, E_MFA_SUSPENDED, E_TOKEN_REVOKED, and
 * E_TOO_MANY_REQUESTS after too many wrong ones
 */
export async function hasRecentProof(user: User, sessionId: string, proof: Proof) {
  const { currentPassword, code } = proof
  if (currentPassword) await assertCurrentPassword(user, currentPassword)
  const given = Boolean(currentPassword)
  if (suffice({ first: given, second: false }, user)) return true
  const session = await findActiveSession(user.id, sessionId)
  if (!session) throw new E_TOKEN_REVOKED()
  const recent = await recentFactors(session)
  const first = given || recent.first
  if (!first) return false
  const hasCode = Boolean(user.mfaEnabled && code)
  if (hasCode) await verifyCode(user, code!)
  return suffice({ first, second: hasCode || recent.second }, user)
}
