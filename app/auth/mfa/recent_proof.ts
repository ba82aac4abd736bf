import { isDelegated } from '#auth/callers/caller_kind'
import type User from '#models/user'
import { assertMay } from '#auth/callers/limits'
import { E_TOKEN_REVOKED } from '#auth/errors'
import { findActiveSession } from '#auth/sessions/active_session'
import { coversAllFactors } from '#auth/sessions/required_factors'
import { recentFactors } from '#auth/sessions/authentication'
import { assertCurrentPassword } from '#auth/passwords/current_password'
import { verifyCode } from './verify_proof.ts'
import type { ProvingCaller } from './reauthentication.ts'

type Prover = Pick<ProvingCaller, 'actor' | 'sessionId' | 'proof'>

/** For a change of one's own account. @throws what `assertMay` and `hasRecentProof` throw */
export async function assertRecentProof(user: User, caller: Prover) {
  assertMay('own_account', { ...caller.actor, hasRecentProof: await hasRecentProof(user, caller) })
}

/**
 * Verifies a code only after the first factor: a stolen session must not guess or suspend codes. A
 * key or application proves nothing: one that saw the password could take the account over.
 * @throws E_INCORRECT_PASSWORD, E_INVALID_CODE, E_MFA_SUSPENDED, E_TOKEN_REVOKED,
 * E_TOO_MANY_REQUESTS
 */
export async function hasRecentProof(user: User, { actor, sessionId, proof }: Prover) {
  if (isDelegated(actor)) return false
  const { currentPassword, code } = proof
  if (currentPassword) await assertCurrentPassword(user, currentPassword)
  const given = Boolean(currentPassword)
  if (coversAllFactors({ first: given, second: false }, user)) return true
  const session = await findActiveSession(user.id, sessionId)
  if (!session) throw new E_TOKEN_REVOKED()
  const recent = await recentFactors(session)
  const first = given || recent.first
  if (!first) return false
  const hasCode = Boolean(user.mfaEnabled && code)
  if (hasCode) await verifyCode(user, code!)
  return coversAllFactors({ first, second: hasCode || recent.second }, user)
}
