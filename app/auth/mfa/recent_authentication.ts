import { isDelegated } from '#auth/callers/caller_kind'
import type User from '#models/user'
import { assertMay } from '#auth/callers/permissions'
import { E_TOKEN_REVOKED } from '#auth/errors'
import { findActiveSession } from '#auth/sessions/active_session'
import { coversAllFactors } from '#auth/sessions/required_factors'
import { recentFactors } from '#auth/sessions/authentication'
import { assertCurrentPassword } from '#auth/passwords/current_password'
import { releaseBackupCode } from './backup_codes.ts'
import { canonicalCode, isBackupCode } from './codes.ts'
import { verifyCode } from './verify_code.ts'
import type { Reauthentication } from './reauthentication.ts'

type Attempt = Omit<Reauthentication, 'userId'>

/** For a change of one's own account. @throws what `assertMay` and `hasRecentAuthentication` throw */
export async function assertRecentAuthentication(user: User, attempt: Attempt) {
  assertMay('own_account', {
    ...attempt.actor,
    hasRecentAuthentication: await hasRecentAuthentication(user, attempt),
  })
}

/**
 * Verifies a code only after the first factor: a stolen session must not guess or suspend codes.
 * Refuses keys and applications: one that saw the password could take the account over.
 * @throws E_INCORRECT_PASSWORD, E_INVALID_CODE, E_MFA_SUSPENDED, E_TOKEN_REVOKED,
 * E_TOO_MANY_REQUESTS
 */
export async function hasRecentAuthentication(
  user: User,
  { actor, sessionId, credentials, onCodeUsed }: Attempt
) {
  if (isDelegated(actor)) return false
  const { currentPassword, code } = credentials
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
  if (hasCode && isBackupCode(code!))
    onCodeUsed?.(() => releaseBackupCode(user.id, canonicalCode(code!)))
  return coversAllFactors({ first, second: hasCode || recent.second }, user)
}
