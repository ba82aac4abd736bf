import { invalidField } from '#exceptions/http_errors'
import { normalizePassword } from './normalize.ts'
import { hashPassword } from './password_hash.ts'

/** The user of a password, by the names that others know. */
export interface PasswordOwner {
  /** In its canonical form. */
  email: string
  username: string
}

export const NAMES_OWNER = 'Password must not be the e-mail address or the name of its user'

/**
 * Whether a password is the address of its user, the part before the @, or the name, in
 * upper or lower case. An attacker who knows the user tries these first, whatever the rules
 * of composition.
 */
export function namesOwner(password: string, { email, username }: PasswordOwner) {
  const names = [email, email.slice(0, email.lastIndexOf('@')), username]
  return names.some((name) => comparable(name) === comparable(password))
}

function comparable(text: string) {
  return normalizePassword(text).trim().toLowerCase()
}

/**
 * Hashes a password that was chosen by its user or for them. The rules that need no user
 * are those of the validators.
 *
 * @param field the member of the body that has the password
 * @throws a validation error for a password that names its user
 */
export async function hashNewPassword(password: string, owner: PasswordOwner, field = 'password') {
  if (namesOwner(password, owner)) throw invalidField(field, 'personal', NAMES_OWNER)
  return hashPassword(password)
}
