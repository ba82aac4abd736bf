import {
  E_API_KEY_LIMIT,
  E_INCORRECT_PASSWORD,
  E_INVALID_CODE,
  E_MFA_ENROLMENT_REQUIRED,
  E_MFA_SUSPENDED,
  E_RECENT_LOGIN_REQUIRED,
} from '#auth/errors'
import { createKeyValidator } from '#validators/api_keys'
import { E_NOT_FOUND, E_TOO_MANY_REQUESTS } from '#exceptions/http_errors'
import { listOf, ref } from '../schema.ts'
import { message } from '../schemas/fields.ts'
import { reauthenticationBody } from './reauthentication.ts'
import type { Operation, Operations } from '../operation.ts'

const REAUTHENTICATION_REFUSALS = [
  E_RECENT_LOGIN_REQUIRED,
  E_INCORRECT_PASSWORD,
  E_INVALID_CODE,
  E_MFA_SUSPENDED,
  new E_TOO_MANY_REQUESTS().retryAfter(840),
]

const list = (summary: string): Operation => ({
  summary,
  description: 'What a key is for and when it was used; the key itself is never shown again.',
  answers: {
    200: {
      description: 'Keys that have not expired, the newest first',
      schema: listOf(ref('ApiKey')),
    },
  },
})

const create = (summary: string): Operation => ({
  summary,
  description:
    'Only this answer contains the key. Without `expiresAt` the key lives for 90 days, at most for 366. Needs a login of the last ten minutes, or `currentPassword` and, with multi-factor, `code`.',
  body: createKeyValidator,
  bodyExample: { name: 'Nightly report', scopes: ['users:read', 'audit:read'] },
  answers: { 201: { description: 'Made', schema: ref('NewApiKey') } },
  refusals: [...REAUTHENTICATION_REFUSALS, E_MFA_ENROLMENT_REQUIRED, E_API_KEY_LIMIT, E_NOT_FOUND],
})

const revoke = (summary: string): Operation => ({
  summary,
  description: 'The key is refused from the next request on.',
  answers: { 200: { description: 'Revoked', schema: message('API key revoked') } },
  refusals: [E_NOT_FOUND],
})

export const apiKeyOperations: Operations = {
  'GET /auth/api-keys': list('List the API keys of the caller'),
  'POST /auth/api-keys': create('Make an API key'),
  'DELETE /auth/api-keys/:id': {
    ...revoke('Revoke an API key'),
    description:
      'Needs a login of the last ten minutes, or `currentPassword` and, with multi-factor, `code`.',
    ...reauthenticationBody,
    bodyExample: {},
    refusals: [...REAUTHENTICATION_REFUSALS, E_NOT_FOUND],
  },
  'GET /users/:id/api-keys': {
    ...list('List the API keys of an account'),
    refusals: [E_NOT_FOUND],
  },
  'POST /users/:id/api-keys': create('Make an API key of an account'),
  'DELETE /users/:id/api-keys/:keyId': revoke('Revoke an API key of an account'),
}
