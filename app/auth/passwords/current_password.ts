import { verifyPassword } from './password_hash.ts'
import { clearCurrentPasswordThrottle } from '#auth/lockout/throttle'
import { withinCurrentPasswords } from '#auth/lockout/uncounted_login'
import { E_INCORRECT_PASSWORD } from '#auth/errors'
import { invalidField } from '#exceptions/http_errors'
import type User from '#models/user'

/** The response of a validator to a body without the password. */
export function missingCurrentPassword() {
  const message = 'The currentPassword field must be defined'
  return invalidField('currentPassword', 'required', message)
}

/**
 * Counts wrong passwords: a stolen session must not be a way to guess the password.
 * @throws E_INCORRECT_PASSWORD, and E_TOO_MANY_REQUESTS after too many wrong ones
 */
export async function assertCurrentPassword(user: User, password: string) {
  const verify = () => verifyPassword(user.password, password)
  if (!(await withinCurrentPasswords(user.id, verify))) throw new E_INCORRECT_PASSWORD()
  await clearCurrentPasswordThrottle(user.id)
}
