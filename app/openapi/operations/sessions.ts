import { E_INVALID_TOKEN, E_MFA_ENROLMENT_REQUIRED } from '#auth/errors'
import { E_FORBIDDEN, E_NOT_FOUND, E_TOO_MANY_REQUESTS } from '#exceptions/http_errors'
import { revokeValidator } from '#validators/auth'
import { ACCESS_TOKEN } from '../examples.ts'
import { listOf, ref } from '../schema.ts'
import { message } from '../schemas/fields.ts'
import { sessionIdHeader } from '../headers.ts'
import type { Operations } from '../operation.ts'

export const sessionOperations: Operations = {
  'POST /auth/logout': {
    summary: 'End one session or all',
    description:
      'With `x-session-id` only that session ends, without it every session of the caller. A session of another user continues, and the answer does not show it.',
    parameters: [sessionIdHeader],
    answers: { 200: { description: 'Logged out', schema: message('Logged out') } },
  },
  'POST /auth/logout-all': {
    summary: 'End every session of the caller',
    description: 'Their access and refresh tokens are refused from the answer on, this token too.',
    answers: { 200: { description: 'Logged out', schema: message('Logged out from all devices') } },
  },
  'POST /auth/revoke': {
    summary: 'Revoke an access token',
    description:
      'The token of the request, or the one in the body, if it is the caller’s own or the caller is an administrator. It is refused from then on.',
    body: revokeValidator,
    bodyExample: { token: ACCESS_TOKEN },
    isBodyOptional: true,
    answers: { 200: { description: 'Revoked', schema: message('Token revoked') } },
    refusals: [
      E_INVALID_TOKEN,
      E_FORBIDDEN,
      E_MFA_ENROLMENT_REQUIRED,
      new E_TOO_MANY_REQUESTS().retryAfter(840),
    ],
  },
  'GET /auth/sessions': {
    summary: 'List the sessions of the caller',
    answers: {
      200: {
        description: 'Live sessions, the most recently active first',
        schema: listOf(ref('Session')),
      },
    },
  },
  'DELETE /auth/sessions/:id': {
    summary: 'End a session of the caller',
    answers: { 200: { description: 'Ended', schema: message('Session ended') } },
    refusals: [E_NOT_FOUND],
  },
}
