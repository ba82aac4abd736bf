import { E_INSUFFICIENT_SCOPE } from '#auth/errors'
import { E_MANAGED } from '#configuration/errors'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { E_GROUP_LIMIT, unknownGroup } from '#groups/errors'
import { listMembersValidator, userGroupsValidator } from '#validators/groups'
import { listOf, ref } from '../schema.ts'
import { nextPage } from '../schemas/fields.ts'
import { groupNames, ownGroup } from '../schemas/group.ts'
import { reauthenticationBody, reauthenticationRefusals } from './reauthentication.ts'
import { done, type Operations } from '../operation.ts'

export const REAUTHENTICATION =
  'If the access or the claims of an application name the group, a user needs a login within the last ten minutes, or `currentPassword` and, with multi-factor, `code`.'

export const KEYS =
  'An API key changes no membership of an administrator or of its owner. Changes to groups of a provider, which have a `:` in the name, are 409 `E_MANAGED`, and so are changes to what a configuration file names, with `file` and `fields`.'

export const memberRefusals = [
  ...reauthenticationRefusals,
  E_INSUFFICIENT_SCOPE,
  E_NOT_FOUND,
  E_MANAGED,
]

export const memberOperations: Operations = {
  'GET /groups/:id/members': {
    summary: 'List the members of a group',
    description:
      'In the order in which the accounts were created, at most 100. If more follow, the header `Link` contains the address of the next page. `GET /users?group=` sorts and searches them.',
    query: listMembersValidator,
    answers: {
      200: { description: 'Members', schema: listOf(ref('GroupMember')), headers: nextPage },
    },
    refusals: [E_NOT_FOUND],
  },
  'PUT /groups/:id/members/:userId': {
    summary: 'Add an account to a group',
    description: `An account can be in 100 groups. A member stays one. ${REAUTHENTICATION} ${KEYS}`,
    ...reauthenticationBody,
    answers: { 204: done },
    refusals: [...memberRefusals, E_GROUP_LIMIT],
  },
  'DELETE /groups/:id/members/:userId': {
    summary: 'Take an account out of a group',
    description: `${REAUTHENTICATION} ${KEYS}`,
    ...reauthenticationBody,
    answers: { 204: done },
    refusals: memberRefusals,
  },
  'GET /users/:id/groups': {
    summary: 'Read the groups of an account',
    answers: { 200: { description: 'Their names', schema: groupNames } },
    refusals: [E_NOT_FOUND],
  },
  'PUT /users/:id/groups': {
    summary: 'Set the groups of an account',
    description: `Names without regard to case; an unknown name is 400. Groups of providers stay as they are. ${REAUTHENTICATION} ${KEYS}`,
    body: userGroupsValidator,
    bodyExample: { groups: ['Staff/Berlin', 'grafana-editors'] },
    answers: { 200: { description: 'All groups of the account', schema: groupNames } },
    refusals: [...memberRefusals, E_GROUP_LIMIT, unknownGroup('groups')],
  },
  'GET /auth/groups': {
    summary: 'List the groups of the caller',
    answers: { 200: { description: 'By name', schema: listOf(ownGroup) } },
  },
}
