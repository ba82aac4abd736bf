import { verifyPassword } from './password_hash.ts'
import { clearCurrentPasswordThrottle } from '#auth/lockout/throttle'
import { withinCurrentPasswords } from '#auth/lockout/within_limits'
import { E_INCORRECT_PASSWORD } from '#auth/errors'
import { invalidField } from '#exceptions/http_errors'
import type User from '#models/user'

export function missingCurrentPassword() {
  const message = 'The currentPassword field must be defined'
  return invalidField('currentPassword', 'required', message)
}

/** Throttles guesses by a stolen session. @throws E_INCORRECT_PASSWORD, E_TOO_MANY_REQUESTS */
export async function assertCurrentPassword(user: User, password: string) {
  const verify = () => verifyPassword(user.password, password)
  if (!(await withinCurrentPasswords(user.id, verify))) throw new E_INCORRECT_PASSWORD()
  await clearCurrentPasswordThrottle(user.id)
}
