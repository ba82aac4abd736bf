import { E_INVALID_CODE } from '#auth/errors'
import { assertCurrentPassword } from '#auth/accounts/credentials'
import { clearCodeThrottle, throttleCode } from '#auth/lockout/throttle'
import { useCode } from './codes.ts'
import type User from '#models/user'

/**
 * Proves that who holds the session is the owner of the account: by the password, and by
 * a code where there is a second factor.
 *
 * @throws E_INCORRECT_PASSWORD, E_INVALID_CODE, and E_TOO_MANY_REQUESTS after too many
 */
export async function assertOwner(user: User, proof: { password: string; code?: string }) {
  await assertCurrentPassword(user, proof.password)
  if (!user.mfaEnabled) return
  await throttleCode(user.id)
  if (!(await useCode(user, proof.code ?? ''))) throw new E_INVALID_CODE()
  await clearCodeThrottle(user.id)
}
