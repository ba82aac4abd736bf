import { invalidField } from '#exceptions/http_errors'
import { normalizePassword } from './policy.ts'
import { hashPassword } from './password_hash.ts'

export interface PasswordOwner {
  /** In its canonical form. */
  email: string
  username: string
}

export const NAMES_OWNER = 'Password must not be the e-mail address or the name of its user'

/** An attacker who knows the user first tries the address and the name, in any letter case. */
export function namesOwner(password: string, { email, username }: PasswordOwner) {
  const names = [email, email.slice(0, email.lastIndexOf('@')), username]
  return names.some((name) => comparable(name) === comparable(password))
}

function comparable(text: string) {
  return normalizePassword(text).trim().toLowerCase()
}

/** Validators check the rules that need no user. `field` names the member of the request body. */
export async function hashNewPassword(password: string, owner: PasswordOwner, field = 'password') {
  if (namesOwner(password, owner)) throw invalidField(field, 'personal', NAMES_OWNER)
  return hashPassword(password)
}
