import type User from '#models/user'
import { E_RECENT_LOGIN_REQUIRED, E_TOKEN_REVOKED } from '#auth/errors'
import { findActiveSession } from '#auth/sessions/active_session'
import { recentFactors, suffice } from '#auth/sessions/authentication'
import { verifyProof, type Proof } from './verify_proof.ts'

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
