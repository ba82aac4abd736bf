import settings from '#config/sign_up'
import { invalidField } from '#exceptions/http_errors'
import { E_SIGN_UP_CLOSED } from './errors.ts'

/**
 * The refusal is the same for known and unknown addresses, so that it reveals no account.
 * @throws E_SIGN_UP_CLOSED, E_VALIDATION_ERROR for an address of another domain
 */
export function assertMaySignUp(email: string) {
  if (!settings.isOpen) throw new E_SIGN_UP_CLOSED()
  const domain = email.slice(email.lastIndexOf('@') + 1)
  if (settings.domains.length === 0 || settings.domains.includes(domain)) return
  const allowed = settings.domains.join(', ')
  throw invalidField('email', 'domain', `The email field must be an address of ${allowed}`)
}
