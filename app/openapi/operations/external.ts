import { refusalOf } from '#auth/sign_in/result'
import {
  E_ACCOUNT_DISABLED,
  E_ACCOUNT_LOCKED,
  E_EMAIL_UNVERIFIED,
  E_EXTERNAL_DENIED,
  E_EXTERNAL_LOGIN_FAILED,
  E_EXTERNAL_NOT_RECENT,
  E_EXTERNAL_STATE,
  E_IDENTITY_TAKEN,
  E_INVALID_CREDENTIALS,
  E_INVALID_TOKEN,
  E_PROVIDER_FAILED,
  E_PROVIDER_TIMEOUT,
  E_INVALID_RETURN_TO,
  invalidCodeChallenge,
} from '#auth/errors'
import { E_NOT_FOUND, E_TOO_MANY_REQUESTS } from '#exceptions/http_errors'
import { E_EXTERNAL_EMAIL_MISSING, E_IDENTITY_CONFLICT, E_SIGN_UP_CLOSED } from '#users/errors'
import { externalCodeValidator } from '#validators/auth'
import { listOf, record, ref } from '../schema.ts'
import { CODE_VERIFIER, EXTERNAL_CODE, MFA_TOKEN } from '../examples.ts'
import { deviceHeaders, deviceTokenAnswer } from '../parameters.ts'
import type { Operations, Parameter } from '../operation.ts'

export const returnTo: Parameter = {
  name: 'returnTo',
  in: 'query',
  description:
    'Where the browser goes afterwards: one of the addresses of `RETURN_URLS` or, where it is not set, an address of this service or of an origin of `CORS_ORIGINS`. Without it the callback answers in JSON.',
  schema: { type: 'string', format: 'uri' },
}

const codeChallenge: Parameter = {
  name: 'code_challenge',
  in: 'query',
  description:
    'SHA-256 of a random `code_verifier`, in base64url (RFC 7636, S256). The exchange then needs the verifier. Required with `returnTo` where `RETURN_URLS` is set.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' },
}

const prompt: Parameter = {
  name: 'prompt',
  in: 'query',
  description:
    '`login`: the provider asks again who the person is, and the session counts as a recent login. GitHub cannot, and is refused.',
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

const signInRefusals = [
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

export const externalOperations: Operations = {
  'GET /auth/external': {
    summary: 'List the external providers',
    description: 'What a sign-in page shows: their names, and where each begins.',
    answers: {
      200: {
        description: 'The providers that are configured',
        schema: listOf(
          record({
            name: { type: 'string', example: 'google' },
            url: { type: 'string', example: 'https://auth.example.org/auth/external/google' },
          })
        ),
      },
    },
  },
  'GET /auth/external/:provider': {
    summary: 'Start a login at a provider',
    description: 'For browsers: sends them to the provider, with PKCE, state and nonce.',
    parameters: [returnTo, codeChallenge, prompt],
    answers: { 302: { description: 'On to the provider', schema: {} } },
    refusals: [...startRefusals, E_EXTERNAL_NOT_RECENT, invalidCodeChallenge()],
  },
  'GET /auth/external/:provider/callback': {
    summary: 'Finish a login at a provider',
    description:
      'Where the provider sends the browser. With `returnTo` the browser is redirected there with a `code` for `POST /auth/external/exchange`, or an `error`.',
    answers: {
      200: {
        description: 'Tokens of a new session',
        schema: ref('LoginResponse'),
        headers: deviceTokenAnswer,
      },
      302: { description: 'On to `returnTo`', schema: {} },
    },
    refusals: [
      E_EXTERNAL_STATE,
      E_EXTERNAL_EMAIL_MISSING,
      E_SIGN_UP_CLOSED,
      E_EXTERNAL_DENIED,
      E_EXTERNAL_LOGIN_FAILED,
      E_EXTERNAL_NOT_RECENT,
      ...signInRefusals,
      E_NOT_FOUND,
      E_IDENTITY_CONFLICT,
      E_IDENTITY_TAKEN,
      E_PROVIDER_FAILED,
      E_PROVIDER_TIMEOUT,
    ],
  },
  'POST /auth/external/exchange': {
    summary: 'Exchange the code of an external login',
    description:
      'A login that was started with a `code_challenge` needs its `code_verifier`; one without takes none.',
    body: externalCodeValidator,
    bodyExample: { code: EXTERNAL_CODE, code_verifier: CODE_VERIFIER },
    parameters: deviceHeaders,
    answers: {
      200: {
        description: 'Tokens of a new session',
        schema: ref('LoginResponse'),
        headers: deviceTokenAnswer,
      },
    },
    refusals: [E_INVALID_TOKEN, ...signInRefusals, E_IDENTITY_TAKEN],
  },
}
