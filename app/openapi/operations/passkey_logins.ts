import {
  E_ACCOUNT_DISABLED,
  E_ACCOUNT_LOCKED,
  E_EMAIL_UNVERIFIED,
  E_INVALID_CREDENTIALS,
  E_PASSKEY_INVALID,
} from '#auth/errors'
import { E_TOO_MANY_REQUESTS } from '#exceptions/http_errors'
import { passkeyLoginValidator } from '#validators/passkeys'
import { ASSERTION, CHALLENGE } from '../example_passkeys.ts'
import { deviceHeaders, deviceTokenAnswer } from '../headers.ts'
import { listOf, record, ref } from '../schema.ts'
import { count, text } from '../schemas/fields.ts'
import type { Operations } from '../operation.ts'

const requestOptions = record({
  rpId: { ...text, example: 'auth.example.org' },
  challenge: { ...text, example: CHALLENGE },
  timeout: { ...count, example: 300_000, description: 'In milliseconds.' },
  userVerification: { type: 'string', enum: ['required'] },
})

export const passkeyLoginOperations: Operations = {
  'POST /auth/passkeys/login-options': {
    summary: 'Ask for a challenge to log in by a passkey',
    description:
      'The options for `navigator.credentials.get` (`PublicKeyCredential.parseRequestOptionsFromJSON`), the same for everybody. The challenge works once, for five minutes.',
    answers: { 200: { description: 'The options', schema: requestOptions } },
    refusals: [new E_TOO_MANY_REQUESTS().retryAfter(42)],
  },
  'POST /auth/passkeys/login': {
    summary: 'Log in by a passkey',
    description:
      'With the response of the authenticator, as `PublicKeyCredential.toJSON()` writes it, at most 16 KB. A passkey is both factors: no code is needed. It works despite a lock by failed logins, and ends that lock; a suspended second factor works again.',
    body: passkeyLoginValidator,
    bodyExample: { response: ASSERTION },
    parameters: deviceHeaders,
    answers: {
      200: {
        description: 'Tokens of a new session',
        schema: ref('LoginResponse'),
        headers: deviceTokenAnswer,
      },
    },
    refusals: [
      E_PASSKEY_INVALID,
      E_INVALID_CREDENTIALS,
      new E_ACCOUNT_LOCKED().retryAfter(1_800),
      E_ACCOUNT_DISABLED,
      E_EMAIL_UNVERIFIED,
      new E_TOO_MANY_REQUESTS().retryAfter(42),
    ],
  },
  'GET /.well-known/webauthn': {
    summary: 'Read which origins may use passkeys of this domain',
    description:
      'For browsers: related origin requests of WebAuthn. `PASSKEY_ORIGINS` adds origins.',
    answers: {
      200: {
        description: 'The origins',
        headers: { 'Cache-Control': 'How long to keep them.' },
        schema: record({
          origins: { ...listOf(text), example: ['https://auth.example.org'] },
        }),
      },
    },
  },
}
