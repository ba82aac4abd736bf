import {
  E_BAD_REQUEST,
  E_PAYLOAD_TOO_LARGE,
  E_TOO_MANY_REQUESTS,
  E_UNSUPPORTED_MEDIA_TYPE,
  invalidField,
} from '#exceptions/http_errors'
import { E_MFA_ENROLMENT_REQUIRED } from '#auth/errors'
import { exampleOf } from '../example_of.ts'
import { record, ref } from '../schema.ts'
import { records } from '../schemas/index.ts'
import type { Operations } from '../operation.ts'

const form = {
  type: 'application/x-www-form-urlencoded',
  schema: record<{ token: string; token_type_hint: string }>(
    {
      token: { type: 'string', description: 'The token to be asked about.' },
      token_type_hint: { type: 'string', description: 'Ignored: the token says what it is.' },
    },
    ['token_type_hint']
  ),
}

/** For services that get the tokens and keys of users. */
export const introspectionOperations: Operations = {
  'POST /oauth/introspect': {
    summary: 'Ask whether an access token is active',
    description:
      'RFC 7662. A token or API key is active while `GET /auth/profile` would accept it, or the service for which it was issued; a refresh token never is. A key may do what its `scope` says and no more. An API key may ask about any token or key; a client is told only of its own tokens and of tokens whose audience it is. Errors have the members `error` and `error_description` of RFC 6749, too.',
    upload: form,
    isOAuth: true,
    answers: {
      200: {
        description: 'What there is to know about the token',
        schema: { anyOf: [ref('ActiveToken'), ref('ActiveKey'), ref('InactiveToken')] },
        example: exampleOf(ref('ActiveToken'), records),
      },
    },
    refusals: [
      E_MFA_ENROLMENT_REQUIRED,
      invalidField('token', 'required', 'The token field must be defined'),
      E_BAD_REQUEST,
      E_PAYLOAD_TOO_LARGE,
      E_UNSUPPORTED_MEDIA_TYPE,
      new E_TOO_MANY_REQUESTS().retryAfter(42),
    ],
  },
}
