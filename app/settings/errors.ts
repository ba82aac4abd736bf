import limits from '#config/limits'
import { refusal } from '#exceptions/refusal'

/** Clients depend on the codes and messages (API contract). */
export const E_SET_BY_ENVIRONMENT = refusal(
  409,
  'E_SET_BY_ENVIRONMENT',
  'The environment sets this, and only the environment can change it'
)
export const E_SETTINGS_LOCKED = refusal(
  403,
  'E_SETTINGS_LOCKED',
  'SETTINGS_IN_CONSOLE is off: change settings in the environment, or by a command'
)
export const E_CHANGED = refusal(
  412,
  'E_CHANGED',
  'The settings have changed meanwhile: read them again'
)
export const E_PRECONDITION_REQUIRED = refusal(
  428,
  'E_PRECONDITION_REQUIRED',
  'Send the ETag of the settings that you have read as If-Match'
)
export const E_PROVIDER_EXISTS = refusal(
  409,
  'E_PROVIDER_EXISTS',
  'An external provider with this name exists'
)
/** An administrator who requires a second factor of administrators must have one first. */
export const E_NO_SECOND_FACTOR = refusal(
  409,
  'E_MFA_ENROLMENT_REQUIRED',
  'Set up multi-factor authentication for your own account first'
)
export const E_PROVIDER_LIMIT = refusal(
  409,
  'E_PROVIDER_LIMIT',
  `${limits.externalProviders} external providers can be added: delete one first`
)
export const E_MAIL_SERVER_CHANGED = refusal(
  409,
  'E_MAIL_SERVER_CHANGED',
  'The mail server was changed in the last 24 hours: set the password of an administrator by the command user:password'
)
