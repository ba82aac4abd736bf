import { E_LAST_METHOD } from '#auth/errors'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { listOf, record, ref } from '../schema.ts'
import { message } from '../schemas/fields.ts'
import { returnTo, startRefusals } from './external_parameters.ts'
import {
  REAUTHENTICATION,
  reauthenticationBody,
  reauthenticationRefusals,
} from './reauthentication.ts'
import type { Operations } from '../operation.ts'

export const identityOperations: Operations = {
  'GET /auth/identities': {
    summary: 'List the identities of the caller',
    description: 'The users at external providers that may sign in as the caller, oldest first.',
    answers: { 200: { description: 'The identities', schema: listOf(ref('Identity')) } },
  },
  'POST /auth/external/:provider/link': {
    summary: 'Link a provider to the account of the caller',
    description: `Answers with the address for the browser. The provider is linked when it comes back, if the session still lasts. ${REAUTHENTICATION}`,
    ...reauthenticationBody,
    parameters: [returnTo],
    answers: {
      200: {
        description: 'Where to go',
        schema: record({ url: { type: 'string', example: 'https://accounts.example.org/auth?…' } }),
      },
    },
    refusals: [...startRefusals, ...reauthenticationRefusals],
  },
  'DELETE /auth/external/:provider/link': {
    summary: 'Unlink a provider',
    description: `${REAUTHENTICATION} The sessions of the provider end, except the present one.`,
    ...reauthenticationBody,
    answers: { 200: { description: 'Unlinked', schema: message('Provider unlinked') } },
    refusals: [...reauthenticationRefusals, E_NOT_FOUND, E_LAST_METHOD],
  },
}
