import { E_INCORRECT_PASSWORD, E_SAME_PASSWORD } from '#auth/errors'
import { E_BUSY, E_NOT_FOUND, E_TOO_MANY_REQUESTS } from '#exceptions/http_errors'
import { E_EMAIL_TAKEN, E_LAST_ADMIN } from '#users/errors'
import {
  changePasswordValidator,
  currentPasswordValidator,
  profileValidator,
} from '#validators/auth'
import { record, ref } from '../schema.ts'
import { count, message } from '../schemas/fields.ts'
import type { Operations } from '../operation.ts'

/** Refusals of every operation that asks for the current password. */
export const currentPasswordRefusals = [
  E_INCORRECT_PASSWORD,
  new E_TOO_MANY_REQUESTS().retryAfter(840),
  E_BUSY,
]

export const passwordChanged = record({
  message: { type: 'string', example: 'Password changed' },
  endedSessions: { ...count, example: 2 },
})

/** The user of the caller. */
export const profileOperations: Operations = {
  'GET /auth/profile': {
    summary: 'Read the account of the caller',
    answers: { 200: { description: 'The account', schema: ref('User') } },
  },
  'PUT /auth/profile': {
    summary: 'Change the account of the caller',
    description:
      'Another `email` needs `currentPassword` besides. It is `pendingEmail` until the link mailed to it is used; the present `email` drops it.',
    body: profileValidator,
    isBodyOptional: true,
    answers: { 200: { description: 'The changed account', schema: ref('User') } },
    refusals: [...currentPasswordRefusals, E_NOT_FOUND, E_EMAIL_TAKEN],
  },
  'POST /auth/change-password': {
    summary: 'Change the password of the caller',
    description: 'Every other session ends, and a mail tells the owner of the account.',
    body: changePasswordValidator,
    answers: {
      200: {
        description: 'Changed',
        schema: passwordChanged,
      },
    },
    refusals: [...currentPasswordRefusals, E_SAME_PASSWORD, E_NOT_FOUND],
  },
  'GET /auth/export': {
    summary: 'Export everything stored about the caller',
    answers: { 200: { description: 'Everything but secrets', schema: ref('AccountExport') } },
    refusals: [E_NOT_FOUND, new E_TOO_MANY_REQUESTS().retryAfter(840)],
  },
  'DELETE /auth/account': {
    summary: 'Delete the account of the caller',
    body: currentPasswordValidator,
    answers: { 200: { description: 'Deleted', schema: message('Account deleted') } },
    refusals: [...currentPasswordRefusals, E_NOT_FOUND, E_LAST_ADMIN],
  },
}
