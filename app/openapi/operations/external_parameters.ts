import { refusalOf } from '#auth/sign_in/result'
import {
  E_ACCOUNT_DISABLED,
  E_ACCOUNT_LOCKED,
  E_EMAIL_UNVERIFIED,
  E_EXTERNAL_LOGIN_FAILED,
  E_INVALID_CREDENTIALS,
  E_PROVIDER_FAILED,
  E_PROVIDER_TIMEOUT,
  E_INVALID_RETURN_TO,
} from '#auth/errors'
import { E_NOT_FOUND, E_TOO_MANY_REQUESTS } from '#exceptions/http_errors'
import { MFA_TOKEN } from '#openapi/examples'
import type { Parameter } from '#openapi/operation'

export const returnTo: Parameter = {
  name: 'returnTo',
  in: 'query',
  description:
    'Where the browser goes afterwards: one of the addresses of `RETURN_URLS` or, where it is not set, an address of this service or of an origin of `CORS_ORIGINS`. Without it the callback answers in JSON.',
  schema: { type: 'string', format: 'uri' },
}

export const codeChallenge: Parameter = {
  name: 'code_challenge',
  in: 'query',
  description:
    'SHA-256 of a random `code_verifier`, in base64url (RFC 7636, S256). The exchange then needs the verifier. Required with `returnTo` where `RETURN_URLS` is set.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' },
}

export const prompt: Parameter = {
  name: 'prompt',
  in: 'query',
  description:
    '`login`: the provider asks again who the user is, and the session counts as a recent login. GitHub cannot do this and is refused.',
  schema: { type: 'string', enum: ['login'] },
}

const tooMany = new E_TOO_MANY_REQUESTS().retryAfter(42)

export const startRefusals = [
  E_INVALID_RETURN_TO,
  E_NOT_FOUND,
  E_EXTERNAL_LOGIN_FAILED,
  tooMany,
  E_PROVIDER_FAILED,
  E_PROVIDER_TIMEOUT,
]

export const signInRefusals = [
  E_INVALID_CREDENTIALS,
  refusalOf({
    outcome: 'mfa_required',
    mfaToken: MFA_TOKEN,
    expiresIn: 300,
  }),
  new E_ACCOUNT_LOCKED().retryAfter(1_800),
  E_ACCOUNT_DISABLED,
  E_EMAIL_UNVERIFIED,
  tooMany,
]
