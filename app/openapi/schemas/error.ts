import { listOf, record } from '../schema.ts'
import { count, text } from './fields.ts'

const fieldError = record({
  field: { ...text, example: 'email' },
  rule: { ...text, example: 'email' },
  message: { ...text, example: 'The email field must be a valid email address' },
})

export const error = record(
  {
    statusCode: { type: 'integer', minimum: 400, maximum: 599, example: 404 },
    error: {
      ...text,
      description: 'Reason phrase of the status; of `/oauth/introspect` the error of RFC 6749.',
      example: 'Not Found',
    },
    message: { ...text, example: 'Resource not found' },
    code: { ...text, description: 'For programs to decide on.', example: 'E_NOT_FOUND' },
    error_description: { ...text, description: 'Of `/oauth/introspect` (RFC 6749).' },
    requestId: { ...text, description: 'Also in `X-Request-Id` and in the log.' },
    errors: { ...listOf(fieldError), description: 'What was wrong with which field.' },
    attemptsRemaining: { ...count, description: 'Logins left before the account is locked.' },
    resetToken: { type: 'string', description: 'Replaces a password that has to be changed.' },
    mfaToken: { ...text, description: 'For `POST /auth/mfa/verify`.' },
    expiresIn: { ...count, description: 'Seconds for which the token beside it works.' },
    file: { ...text, description: 'The configuration file that manages the fields.' },
    versions: { ...listOf(text), description: 'Earlier versions that still run.' },
    fields: { ...listOf(text), description: 'What cannot be changed here.' },
  },
  [
    'error_description',
    'errors',
    'attemptsRemaining',
    'resetToken',
    'mfaToken',
    'expiresIn',
    'file',
    'versions',
    'fields',
  ]
)
