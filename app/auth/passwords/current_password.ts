import { verifyPassword } from './password_hash.ts'
import { clearCurrentPasswordThrottle, throttleCurrentPassword } from '#auth/lockout/throttle'
import { E_INCORRECT_PASSWORD } from '#auth/errors'
import { invalidField } from '#exceptions/http_errors'
import type User from '#models/user'

/** The answer to a body without it, as a validator would give it. */
export function missingCurrentPassword() {
  const message = 'The currentPassword field must be defined'
  return invalidField('currentPassword', 'required', message)
}

/**
 * Asks for the current password besides the session. Wrong passwords are counted, so that
 * an attacker with a stolen session cannot use it to guess the password.
 *
 * @throws E_INCORRECT_PASSWORD, and E_TOO_MANY_REQUESTS after too many wrong ones
 */
export async function assertCurrentPassword(user: User, password: string) {
  await throttleCurrentPassword(user.id)
  if (!(await verifyPassword(user.password, password))) throw new E_INCORRECT_PASSWORD()
  await clearCurrentPasswordThrottle(user.id)
}
