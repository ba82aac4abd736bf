import settings from '#config/sign_up'
import { ensureSettings } from '#settings/values/ensure_settings'
import { invalidField } from '#exceptions/http_errors'
import { E_SIGN_UP_CLOSED } from './errors.ts'
import type User from '#models/user'

/**
 * The refusal is the same for known and unknown addresses, so that it reveals no account.
 * @throws E_SIGN_UP_CLOSED, E_VALIDATION_ERROR for an address of another domain
 */
export function assertMaySignUp(email: string) {
  if (!settings.isOpen) throw new E_SIGN_UP_CLOSED()
  assertListedDomain(email)
}

/**
 * The sign-up is not complete until an address is proved: the first address may be made up, and the
 * second one must not bypass the list. @throws E_VALIDATION_ERROR
 */
export async function assertMayMoveTo(email: string, user: User) {
  if (!user.wasNeverVerified) return
  await ensureSettings()
  if (settings.isOpen) assertListedDomain(email)
}

function assertListedDomain(email: string) {
  const domain = email.slice(email.lastIndexOf('@') + 1)
  if (settings.domains.length === 0 || settings.domains.includes(domain)) return
  const allowed = settings.domains.join(', ')
  throw invalidField('email', 'domain', `The email field must be an address of ${allowed}`)
}
