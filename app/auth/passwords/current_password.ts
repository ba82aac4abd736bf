import { verifyPassword } from './password_hash.ts'
import { clearCurrentPasswordThrottle, throttleCurrentPassword } from '#auth/lockout/throttle'
import { E_INCORRECT_PASSWORD } from '#auth/errors'
import type User from '#models/user'

/**
 * Proves that who holds the session also knows the password. Wrong ones are counted, so
 * that a stolen session cannot be used to guess it.
 *
 * @throws E_INCORRECT_PASSWORD, and E_TOO_MANY_REQUESTS after too many
 */
export async function assertCurrentPassword(user: User, password: string) {
  await throttleCurrentPassword(user.id)
  if (!(await verifyPassword(user.password, password))) throw new E_INCORRECT_PASSWORD()
  await clearCurrentPasswordThrottle(user.id)
}
