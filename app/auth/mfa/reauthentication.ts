import settings from '#config/mfa'
import User from '#models/user'
import { E_INVALID_CODE, E_RECENT_LOGIN_REQUIRED, E_TOKEN_REVOKED } from '#auth/errors'
import { assertCurrentPassword } from '#auth/passwords/current_password'
import { findActiveSession } from '#auth/sessions/active_session'
import { clearCodeThrottle, throttleCode } from '#auth/lockout/throttle'
import { countCode, uncountCode } from './code_attempts.ts'
import { useCode } from './codes.ts'

/**
 * Asks the caller for the current password, and for a code if they have a second factor:
 * an attacker with a stolen session has neither.
 *
 * @throws E_INCORRECT_PASSWORD, E_INVALID_CODE, E_MFA_SUSPENDED, and E_TOO_MANY_REQUESTS after too many wrong ones
 */
export async function assertReauthenticated(
  user: User,
  proof: { password: string; code?: string }
) {
  await assertCurrentPassword(user, proof.password)
  if (!user.mfaEnabled) return
  await throttleCode(user.id)
  await assertCode(user, proof.code ?? '')
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
 * Asks for reauthentication unless the session started minutes ago: a session that was
 * stolen or left open must not be enough to add another way to sign in (OWASP ASVS 7.5.3).
 *
 * @throws E_RECENT_LOGIN_REQUIRED without a password, and what `assertReauthenticated` throws
 */
export async function assertRecentAuthentication(
  { userId, sessionId }: { userId: string; sessionId: string },
  proof: { currentPassword?: string; code?: string }
) {
  const now = Date.now()
  const session = await findActiveSession(userId, sessionId, now)
  if (!session) throw new E_TOKEN_REVOKED()
  if (now - session.createdAt <= settings.recentSessionMs) return
  if (!proof.currentPassword) throw new E_RECENT_LOGIN_REQUIRED()
  const user = await User.findOrFail(userId)
  await assertReauthenticated(user, { password: proof.currentPassword, code: proof.code })
}
