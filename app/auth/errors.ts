import limits from '#config/limits'
import { invalidField } from '#exceptions/http_errors'
import { refusal, type Refusal } from '#exceptions/refusal'

/** Clients depend on the codes and messages (API contract). */
export const E_UNAUTHORIZED = refusal(401, 'E_UNAUTHORIZED', 'Unauthorized')
export const E_TOKEN_REVOKED = refusal(401, 'E_TOKEN_REVOKED', 'Token has been revoked')
export const E_INVALID_CREDENTIALS = refusal(401, 'E_INVALID_CREDENTIALS', 'Invalid credentials')
export const E_INVALID_REFRESH_TOKEN = refusal(
  401,
  'E_INVALID_REFRESH_TOKEN',
  'Invalid refresh token'
)
export const E_INVALID_TOKEN = refusal(400, 'E_INVALID_TOKEN', 'Invalid or expired token')
export const E_NO_PUBLIC_KEYS = refusal(
  404,
  'E_NO_PUBLIC_KEYS',
  'No key pair signs tokens: ACCESS_TOKEN_ALGORITHM is HS256, and OIDC_PROVIDER is off or unused'
)
export const E_KEY_PUBLISHED = refusal(
  409,
  'E_KEY_PUBLISHED',
  'The next key is published already, and signs soon'
)
export const E_INVALID_CODE = refusal(400, 'E_INVALID_CODE', 'Invalid verification code')
export const E_INVALID_ADDRESS_CODE = refusal(
  400,
  'E_INVALID_ADDRESS_CODE',
  'This is not the code of the newest e-mail'
)
export const E_ADDRESS_CODE_EXPIRED = refusal(
  400,
  'E_ADDRESS_CODE_EXPIRED',
  'This code no longer works: request another one'
)
export const E_INVALID_MFA_TOKEN = refusal(
  401,
  'E_INVALID_MFA_TOKEN',
  'Invalid or expired multi-factor token'
)
export const E_MFA_REQUIRED = refusal(401, 'E_MFA_REQUIRED', 'Multi-factor code required')
export const E_MFA_ENABLED = refusal(
  409,
  'E_MFA_ENABLED',
  'Multi-factor authentication is already enabled'
)
export const E_MFA_NOT_ENABLED = refusal(
  409,
  'E_MFA_NOT_ENABLED',
  'Multi-factor authentication is not enabled'
)
export const E_MFA_ENROLMENT_REQUIRED = refusal(
  403,
  'E_MFA_ENROLMENT_REQUIRED',
  'Administrators need multi-factor authentication: set it up first'
)
export const E_MFA_SUSPENDED = refusal(
  403,
  'E_MFA_SUSPENDED',
  'Too many wrong codes in a row: use a backup code, or ask an administrator'
)
export const E_ACCOUNT_LOCKED = refusal(
  403,
  'E_ACCOUNT_LOCKED',
  'Account locked due to multiple failed attempts'
)
export const E_ACCOUNT_DISABLED = refusal(403, 'E_ACCOUNT_DISABLED', 'Account disabled')
export const E_EMAIL_UNVERIFIED = refusal(403, 'E_EMAIL_UNVERIFIED', 'Email address not verified')
export const E_PASSWORD_CHANGE_REQUIRED = refusal(
  403,
  'E_PASSWORD_CHANGE_REQUIRED',
  'Password must be changed before signing in'
)
export const E_RECENT_LOGIN_REQUIRED = refusal(
  403,
  'E_RECENT_LOGIN_REQUIRED',
  'Log in again, or send currentPassword and, with multi-factor, code'
)
export const E_INCORRECT_PASSWORD = refusal(
  400,
  'E_INCORRECT_PASSWORD',
  'Current password is incorrect'
)
export const E_SAME_PASSWORD = refusal(
  400,
  'E_SAME_PASSWORD',
  'New password must differ from the current one'
)

/** Names the error, which RFC 6750, section 3.1, allows only where a token was presented. */
export function invalidToken(refused: Refusal) {
  refused.headers['www-authenticate'] = 'Bearer error="invalid_token"'
  return refused
}

/** RFC 6750, section 3.1, names the header. */
export class E_INSUFFICIENT_SCOPE extends refusal(
  403,
  'E_INSUFFICIENT_SCOPE',
  'Insufficient scope'
) {
  override headers: Record<string, string> = {
    'www-authenticate': 'Bearer error="insufficient_scope"',
  }
}

export const E_API_KEY_LIMIT = refusal(
  409,
  'E_API_KEY_LIMIT',
  `An account can have ${limits.apiKeys} API keys: revoke one first`
)
export const E_SERVICE_ACCOUNT = refusal(
  409,
  'E_SERVICE_ACCOUNT',
  'A service account has no e-mail, password, second factor or sign-in'
)
export const E_PASSKEY_INVALID = refusal(
  401,
  'E_PASSKEY_INVALID',
  'The passkey could not be verified'
)
export const E_PASSKEY_EXISTS = refusal(
  409,
  'E_PASSKEY_EXISTS',
  'This passkey is registered already'
)
export const E_PASSKEY_LIMIT = refusal(
  409,
  'E_PASSKEY_LIMIT',
  `An account can have ${limits.passkeys} passkeys: remove one first`
)
export const E_LAST_METHOD = refusal(
  409,
  'E_LAST_METHOD',
  'The only way to sign in cannot be removed: set a password first'
)
export const E_CROSS_SITE = refusal(
  403,
  'E_CROSS_SITE',
  'A request with cookies must come from a page of this origin'
)
export const E_EXTERNAL_STATE = refusal(
  400,
  'E_EXTERNAL_STATE',
  'The external login was not started in this browser, or took too long'
)
export const E_INVALID_RETURN_TO = refusal(
  400,
  'E_INVALID_RETURN_TO',
  'The returnTo address is not allowed'
)
export const E_EXTERNAL_DENIED = refusal(
  401,
  'E_EXTERNAL_DENIED',
  'The login was cancelled or refused at the provider'
)
export const E_EXTERNAL_NOT_RECENT = refusal(
  403,
  'E_EXTERNAL_NOT_RECENT',
  'The provider did not ask again who you are'
)
export const E_EXTERNAL_LOGIN_FAILED = refusal(
  401,
  'E_EXTERNAL_LOGIN_FAILED',
  'The answer of the provider could not be verified'
)
export const E_IDENTITY_TAKEN = refusal(
  409,
  'E_IDENTITY_TAKEN',
  'This identity is linked to another account'
)
export const E_IDENTITY_LIMIT = refusal(
  409,
  'E_IDENTITY_LIMIT',
  'The account has as many identities as it may: unlink a provider first'
)
export const E_PROVIDER_FAILED = refusal(
  502,
  'E_PROVIDER_FAILED',
  'The provider cannot be reached, or its answer is invalid'
)
export const E_PROVIDER_TIMEOUT = refusal(
  504,
  'E_PROVIDER_TIMEOUT',
  'The provider did not answer in time'
)

export function invalidCodeChallenge() {
  const message = 'The code_challenge field must be a SHA-256 in base64url'
  return invalidField('code_challenge', 'challenge', message)
}
export const E_LAST_ADMIN = refusal(
  409,
  'E_LAST_ADMIN',
  'The last administrator cannot be removed, demoted, disabled or kept from signing in'
)
