import { E_MANAGED } from '#configuration/errors'
import { E_MFA_ENROLMENT_REQUIRED, E_SAME_PASSWORD, E_LAST_ADMIN } from '#auth/errors'
import { E_FORBIDDEN, E_NOT_FOUND } from '#exceptions/http_errors'
import { E_EMAIL_TAKEN, E_HANDLE_IN_USE, E_HANDLE_TAKEN, invalidCursor } from '#users/errors'
import { unknownGroup } from '#groups/errors'
import { changePasswordValidator } from '#validators/auth'
import {
  createServiceAccountValidator,
  createUserValidator,
  listUsersAfterValidator,
  listUsersValidator,
  updateUserValidator,
} from '#validators/users'
import { anyOf } from '#openapi/operation'
import { exampleOf } from '../example_of.ts'
import { records } from '../schemas/index.ts'
import { versionHeader } from '../headers.ts'
import { queryParameters } from '../parameters.ts'
import { listOf, record, ref, type Schema } from '../schema.ts'
import { count, message, pageOf, textOrNull } from '../schemas/fields.ts'
import { passwordChanged } from './profile.ts'
import { reauthenticationBody, reauthenticationRefusals } from './reauthentication.ts'
import { PASSWORD } from '../examples.ts'
import { userForAdminsExample } from '../schemas/user.ts'
import type { Operations } from '../operation.ts'

const pageAfter: Schema = record({
  data: listOf(ref('ListedUser')),
  meta: record({
    limit: { ...count, example: 1 },
    nextCursor: {
      ...textOrNull,
      description: 'For the page after this one; null on the last page.',
      example:
        'WyJjcmVhdGVkQXQiLDE3OTUyNTM0MDAwMDAsIjAxYTFmZDcwLWYxYzAtN2M0Yi05ZDNlLTJmOGE1MWM3ZTYwNCJd',
    },
  }),
})

/** The parameter of version 2, which pages by cursor. */
const cursor = queryParameters(listUsersAfterValidator).find(({ name }) => name === 'cursor')!

/** Administrators also get `lockKind`. */
const ownOrForAdmins: Schema = { anyOf: [ref('UserForAdmins'), ref('User')] }

export const userOperations: Operations = {
  'GET /users': {
    summary: 'List accounts',
    description:
      'For administrators. `search` finds parts of e-mail, username, handle and nickname; `group` names a group, without regard to case; `-` before the field of `sort` puts the largest first. Pages reach only the first 10,000 accounts of a longer list. With a filter, `total` counts to 10,001, and a total above a thousand may be a minute old. With `X-API-Version: 2` it is `GET /api/v2/users`: `cursor` takes the place of `page`.',
    query: listUsersValidator,
    parameters: [cursor, versionHeader],
    answers: {
      200: {
        description: 'A page of accounts, of version 1 or 2',
        schema: { anyOf: [pageOf(ref('ListedUser')), pageAfter] },
        example: exampleOf(pageOf(ref('ListedUser')), records),
      },
    },
    refusals: [invalidCursor(), unknownGroup('group')],
  },
  'GET /api/v2/users': {
    summary: 'List accounts by cursor',
    description: 'For administrators. Every page costs the same, however deep it is.',
    query: listUsersAfterValidator,
    answers: { 200: { description: 'A page of accounts', schema: pageAfter } },
    refusals: [invalidCursor(), unknownGroup('group')],
  },
  'POST /users': {
    summary: 'Create an account',
    description:
      'For administrators. `{ "kind": "service", "username", "role" }` creates a service account, which has API keys only. With `invite: true` instead of a password, a mail contains a link to set one. With `mustChangePassword: true` the user has to choose another password at the first login; without it the password stays valid, for programs that create users. With `emailVerified: true` you vouch for the address. `handle` is made of the username, with a number where it is taken. The role `Admin`, `emailVerified: true` and a `handle` that you send need a recent authentication of the caller (`currentPassword`, `code`); keys and applications may set none of them.',
    body: anyOf(createUserValidator, createServiceAccountValidator),
    bodyExample: {
      email: 'grace@example.org',
      username: 'Grace Hopper',
      nickname: null,
      role: 'User',
      password: PASSWORD,
    },
    answers: {
      201: {
        description: 'The account',
        schema: ref('UserForAdmins'),
        example: userForAdminsExample({
          email: 'grace@example.org',
          emailVerified: false,
          username: 'Grace Hopper',
          nickname: null,
          lastLoginAt: null,
        }),
      },
    },
    refusals: [...reauthenticationRefusals, E_EMAIL_TAKEN, E_HANDLE_TAKEN],
  },
  'GET /users/:id': {
    summary: 'Read an account',
    description: 'For administrators, and for the owner of the account.',
    answers: {
      200: {
        description: 'The account',
        schema: ownOrForAdmins,
        example: userForAdminsExample({}),
      },
    },
    refusals: [E_FORBIDDEN, E_MFA_ENROLMENT_REQUIRED, E_NOT_FOUND],
  },
  'PUT /users/:id': {
    summary: 'Change an account',
    description:
      'Only what is sent changes, and sending the record back unchanged is fine. The owner may change `username`, `nickname` and, with a recent authentication, `email`, which is `pendingEmail` until the link mailed to it is used, and `handle` until an application has received it; an administrator also the rest, and `email` immediately. Role, address, verification and `disabled` of an administrator, the role `Admin`, every `handle` and another `appMetadata` need a recent authentication of the caller (`currentPassword`, `code`). `metadata` and `appMetadata` are JSON objects that a merge patch changes (RFC 7396): at most 8,192 bytes each, and five levels of objects or lists. The owner may write only `metadata`, and no key or application writes `appMetadata`. A role is `User`, `Admin`, one of `EXTRA_ROLES` or the one that the account has. Another role, or `disabled`, ends the sessions of the account.',
    body: updateUserValidator,
    isBodyOptional: true,
    bodyExample: { username: 'Ada King', nickname: 'Countess' },
    answers: {
      200: {
        description: 'The changed account',
        schema: ownOrForAdmins,
        example: userForAdminsExample({ username: 'Ada King' }),
      },
    },
    refusals: [
      ...reauthenticationRefusals,
      E_FORBIDDEN,
      E_MFA_ENROLMENT_REQUIRED,
      E_NOT_FOUND,
      E_EMAIL_TAKEN,
      E_HANDLE_TAKEN,
      E_HANDLE_IN_USE,
      E_LAST_ADMIN,
      E_MANAGED,
    ],
  },
  'DELETE /users/:id': {
    summary: 'Delete an account',
    description:
      'For administrators. Sessions, codes and picture are deleted too. Deleting an administrator needs a recent authentication of the caller.',
    ...reauthenticationBody,
    answers: { 200: { description: 'Deleted', schema: message('User deleted') } },
    refusals: [...reauthenticationRefusals, E_NOT_FOUND, E_LAST_ADMIN, E_MANAGED],
  },
  'PATCH /users/:id/password': {
    summary: 'Change one’s own password',
    description: 'Only for the owner of the account; every other session ends.',
    body: changePasswordValidator,
    answers: { 200: { description: 'Changed', schema: passwordChanged } },
    refusals: [...reauthenticationRefusals, E_SAME_PASSWORD, E_FORBIDDEN, E_NOT_FOUND],
  },
}
