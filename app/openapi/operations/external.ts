import {
  E_EXTERNAL_DENIED,
  E_EXTERNAL_LOGIN_FAILED,
  E_EXTERNAL_NOT_RECENT,
  E_EXTERNAL_STATE,
  E_IDENTITY_LIMIT,
  E_IDENTITY_TAKEN,
  E_INVALID_TOKEN,
  E_PROVIDER_FAILED,
  E_PROVIDER_TIMEOUT,
  invalidCodeChallenge,
} from '#auth/errors'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { E_EXTERNAL_EMAIL_MISSING, E_IDENTITY_CONFLICT, E_SIGN_UP_CLOSED } from '#users/errors'
import { externalCodeValidator } from '#validators/auth'
import { listOf, record, ref } from '#openapi/schema'
import { CODE_VERIFIER, EXTERNAL_CODE } from '#openapi/examples'
import { deviceHeaders, deviceTokenAnswer } from '#openapi/headers'
import type { Operations } from '#openapi/operation'
import {
  returnTo,
  codeChallenge,
  prompt,
  startRefusals,
  signInRefusals,
} from './external_parameters.ts'

export const externalOperations: Operations = {
  'GET /auth/external': {
    summary: 'List the external providers',
    description: 'For a sign-in page: the name of each provider and its start address.',
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
    answers: {
      302: {
        description:
          'To the provider, or to a page that asks first because another site led a signed-in browser here',
        schema: {},
      },
    },
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
      E_IDENTITY_LIMIT,
      E_PROVIDER_FAILED,
      E_PROVIDER_TIMEOUT,
    ],
  },
  'POST /auth/external/exchange': {
    summary: 'Exchange the code of an external login',
    description:
      'A login that was started with a `code_challenge` needs its `code_verifier`; other logins accept none.',
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
    refusals: [E_INVALID_TOKEN, ...signInRefusals, E_IDENTITY_TAKEN, E_IDENTITY_LIMIT],
  },
}
