import { E_LAST_ADMIN, E_RECENT_LOGIN_REQUIRED, E_SAME_PASSWORD } from '#auth/errors'
import { E_FORBIDDEN, E_NOT_FOUND, E_TOO_MANY_REQUESTS } from '#exceptions/http_errors'
import { E_EMAIL_TAKEN, E_HANDLE_IN_USE, E_HANDLE_TAKEN } from '#users/errors'
import { changePasswordValidator, profileValidator } from '#validators/auth'
import { exampleOf } from '../example_of.ts'
import { record, ref } from '../schema.ts'
import { count, message } from '../schemas/fields.ts'
import { records } from '../schemas/index.ts'
import {
  REAUTHENTICATION,
  reauthenticationBody,
  reauthenticationRefusals,
} from './reauthentication.ts'
import type { Operations } from '../operation.ts'

export const passwordChanged = record({
  message: { type: 'string', example: 'Password changed' },
  endedSessions: { ...count, example: 2 },
})

export const profileOperations: Operations = {
  'GET /auth/profile': {
    summary: 'Read the account of the caller',
    description:
      'The token of a third-party application shows what its scopes cover: with `profile:read` the whole account, with `email` and `profile` what they show in userinfo.',
    answers: {
      200: {
        description: 'The account',
        schema: { anyOf: [ref('User'), ref('UserForApplication')] },
        example: exampleOf(ref('User'), records),
      },
    },
  },
  'PUT /auth/profile': {
    summary: 'Change the account of the caller',
    description: `A new \`email\` is \`pendingEmail\` until the link mailed to it is used; sending the present \`email\` drops it. The address of another account is 409, for clients that cannot wait for a mailbox; a limit of ten new addresses an hour bounds what this reveals. \`handle\` needs a recent authentication as well, and is yours to change until an application has received it. \`metadata\` takes a merge patch (RFC 7396): at most 8,192 bytes, and five levels of objects or lists; \`appMetadata\` is for administrators, with a recent authentication. ${REAUTHENTICATION}`,
    body: profileValidator,
    isBodyOptional: true,
    answers: { 200: { description: 'The changed account', schema: ref('User') } },
    refusals: [
      ...reauthenticationRefusals,
      E_FORBIDDEN,
      E_NOT_FOUND,
      E_EMAIL_TAKEN,
      E_HANDLE_TAKEN,
      E_HANDLE_IN_USE,
    ],
  },
  'POST /auth/change-password': {
    summary: 'Change the password of the caller',
    description:
      'Every other session ends, and a mail tells the owner of the account. `currentPassword` is always needed, except by an account that has no password yet; `code` is needed unless the login was in the last ten minutes.',
    body: changePasswordValidator,
    answers: {
      200: {
        description: 'Changed',
        schema: passwordChanged,
      },
    },
    refusals: [...reauthenticationRefusals, E_SAME_PASSWORD, E_NOT_FOUND],
  },
  'GET /auth/export': {
    summary: 'Export everything stored about the caller',
    description: 'For ten minutes after a login; later, use POST.',
    answers: { 200: { description: 'Everything but secrets', schema: ref('AccountExport') } },
    refusals: [E_RECENT_LOGIN_REQUIRED, E_NOT_FOUND, new E_TOO_MANY_REQUESTS().retryAfter(840)],
  },
  'POST /auth/export': {
    summary: 'Export everything stored about the caller, at any time',
    description: REAUTHENTICATION,
    ...reauthenticationBody,
    answers: { 200: { description: 'Everything but secrets', schema: ref('AccountExport') } },
    refusals: [...reauthenticationRefusals, E_NOT_FOUND],
  },
  'DELETE /auth/account': {
    summary: 'Delete the account of the caller',
    description: REAUTHENTICATION,
    ...reauthenticationBody,
    answers: { 200: { description: 'Deleted', schema: message('Account deleted') } },
    refusals: [...reauthenticationRefusals, E_NOT_FOUND, E_LAST_ADMIN],
  },
}
