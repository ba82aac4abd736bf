import { refusal } from './refusal.ts'

/** Clients depend on the codes and messages (API contract). */
export const E_BAD_REQUEST = refusal(400, 'E_BAD_REQUEST', 'request parameter error')
export const E_UNSUPPORTED_VERSION = refusal(
  400,
  'E_UNSUPPORTED_VERSION',
  'Unsupported API version'
)
export const E_FORBIDDEN = refusal(403, 'E_FORBIDDEN', 'Insufficient permissions')
export const E_FORM_EXPIRED = refusal(
  403,
  'E_FORM_EXPIRED',
  'The form was not sent from a page of this visit'
)
export const E_NOT_FOUND = refusal(404, 'E_NOT_FOUND', 'Resource not found')
export const E_METHOD_NOT_ALLOWED = refusal(405, 'E_METHOD_NOT_ALLOWED', 'Method not allowed')
export const E_PAYLOAD_TOO_LARGE = refusal(413, 'E_PAYLOAD_TOO_LARGE', 'Request body too large')
export const E_UNSUPPORTED_MEDIA_TYPE = refusal(
  415,
  'E_UNSUPPORTED_MEDIA_TYPE',
  'Unsupported content type'
)
export const E_TOO_MANY_REQUESTS = refusal(429, 'E_TOO_MANY_REQUESTS', 'Too many requests')
export const E_UNAVAILABLE = refusal(503, 'E_UNAVAILABLE', 'Service temporarily unavailable')
export const E_BUSY = refusal(503, 'E_BUSY', 'Too many passwords are being checked at the moment')

const E_VALIDATION_ERROR = refusal(400, 'E_VALIDATION_ERROR', 'request parameter error')

/** For input that is found invalid only when it is used, in the shape of a validator's error. */
export function invalidField(field: string, rule: string, message: string) {
  return new E_VALIDATION_ERROR().with({ errors: [{ field, rule, message }] })
}
