import { E_MAIL_SERVER_CHANGED } from '#settings/errors'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { E_SERVICE_ACCOUNT, E_LAST_ADMIN } from '#auth/errors'
import { lockUserValidator } from '#validators/users'
import { listOf, record, ref } from '../schema.ts'
import { reauthenticationBody, reauthenticationRefusals } from './reauthentication.ts'
import { count, message } from '../schemas/fields.ts'
import { otherSessionExample } from '../schemas/session.ts'
import { userForAdminsExample } from '../schemas/user.ts'
import type { Operation, Operations } from '../operation.ts'

function onUser(summary: string, description: string, changes = {}): Operation {
  const example = userForAdminsExample(changes)
  const schema = ref('UserForAdmins')
  const answer = { description: 'The account as it is now', schema, example }
  return {
    summary,
    description,
    answers: { 200: answer },
    refusals: [E_NOT_FOUND, E_SERVICE_ACCOUNT],
  }
}

export const userActionOperations: Operations = {
  'POST /users/:id/unlock': {
    ...onUser(
      'Unlock an account',
      'For administrators. For another administrator it needs a recent authentication of the caller.'
    ),
    ...reauthenticationBody,
    refusals: [...reauthenticationRefusals, E_NOT_FOUND, E_SERVICE_ACCOUNT],
  },
  'POST /users/:id/lock': {
    ...onUser(
      'Lock an account',
      'For administrators. The lock lasts as long as one by failed logins, unless `until` is given. For another administrator it needs a recent authentication of the caller.',
      { lockedUntil: '2026-12-24T18:00:00.000Z', lockKind: 'administrator' }
    ),
    body: lockUserValidator,
    isBodyOptional: true,
    bodyExample: { until: '2026-12-24T18:00:00Z' },
    refusals: [...reauthenticationRefusals, E_NOT_FOUND, E_LAST_ADMIN, E_SERVICE_ACCOUNT],
  },
  'POST /users/:id/reset-mfa': {
    ...onUser(
      'Switch multi-factor login off',
      'For administrators: for users who lost the device and the backup codes. Removes every passkey, too. It needs a recent authentication of the caller.'
    ),
    ...reauthenticationBody,
    refusals: [...reauthenticationRefusals, E_NOT_FOUND, E_SERVICE_ACCOUNT],
  },
  'POST /users/:id/send-password-reset': {
    summary: 'Mail a link to set a new password',
    description:
      'For administrators. For another administrator it needs a recent authentication of the caller.',
    ...reauthenticationBody,
    answers: {
      202: { description: 'Queued', schema: message('Password reset mail queued') },
    },
    refusals: [...reauthenticationRefusals, E_NOT_FOUND, E_SERVICE_ACCOUNT, E_MAIL_SERVER_CHANGED],
  },
  'GET /users/:id/sessions': {
    summary: 'List the sessions of an account',
    description: 'For administrators.',
    answers: {
      200: {
        description: 'Live sessions',
        schema: listOf(ref('Session')),
        example: [otherSessionExample()],
      },
    },
    refusals: [E_NOT_FOUND],
  },
  'DELETE /users/:id/sessions': {
    summary: 'End every session of an account',
    description: 'For administrators.',
    answers: {
      200: {
        description: 'Ended',
        schema: record({
          message: { type: 'string', example: 'Sessions ended' },
          endedSessions: { ...count, example: 2 },
        }),
      },
    },
    refusals: [E_NOT_FOUND],
  },
  'DELETE /users/:id/sessions/:sessionId': {
    summary: 'End one session of an account',
    description: 'For administrators.',
    answers: { 200: { description: 'Ended', schema: message('Session ended') } },
    refusals: [E_NOT_FOUND],
  },
}
