import { refusal } from '#exceptions/refusal'
import { invalidField } from '#exceptions/http_errors'
import { ROLES } from '#models/roles'

export const E_EMAIL_TAKEN = refusal(409, 'E_EMAIL_TAKEN', 'Email already registered')
export const E_HANDLE_TAKEN = refusal(
  409,
  'E_HANDLE_TAKEN',
  'Another account has this handle, had it once, or it is reserved'
)
export const E_HANDLE_IN_USE = refusal(
  403,
  'E_HANDLE_IN_USE',
  'An application knows the account by its handle: ask an administrator to change it'
)
export const E_SIGN_UP_CLOSED = refusal(
  403,
  'E_SIGN_UP_CLOSED',
  'Sign-up is closed: ask an administrator for an invitation'
)
export const E_IDENTITY_CONFLICT = refusal(
  409,
  'E_IDENTITY_CONFLICT',
  'An account with this email exists: log in to it and link the provider there'
)
export const E_EXTERNAL_EMAIL_MISSING = refusal(
  400,
  'E_EXTERNAL_EMAIL_MISSING',
  'The provider did not tell an email address'
)

export function invalidCursor() {
  const message = 'The cursor field must be a nextCursor of a list in the same order'
  return invalidField('cursor', 'cursor', message)
}

export function invalidPicture() {
  const message = 'The file field must be a JPEG, PNG or WebP picture of at most 16 megapixels'
  return invalidField('file', 'picture', message)
}

export function invalidRole() {
  return invalidField('role', 'enum', `The role field must be one of ${ROLES.join(', ')}`)
}
