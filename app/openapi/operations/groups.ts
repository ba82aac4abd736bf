import { E_INSUFFICIENT_SCOPE } from '#auth/errors'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { E_MANAGED } from '#configuration/errors'
import { E_GROUP_EXISTS, E_GROUP_LIMIT, unknownGroup } from '#groups/errors'
import { reauthenticationValidator } from '#validators/auth'
import {
  createGroupValidator,
  listGroupsValidator,
  listMembersValidator,
  updateGroupValidator,
  userGroupsValidator,
} from '#validators/groups'
import { listOf, ref } from '../schema.ts'
import { groupNames, ownGroup } from '../schemas/group.ts'
import { reauthenticationRefusals } from './profile.ts'
import type { Answer, Operations } from '../operation.ts'

const LINK = { Link: 'The next page, `<…>; rel="next"`, where more follow.' }

const REAUTHENTICATION =
  'Where the access or the claims of an application name the group, a user needs a login of the last ten minutes, or `currentPassword` and, with multi-factor, `code`.'

const KEYS =
  'An API key changes no membership of an administrator or of its owner. What a provider manages, whose groups have a `:` in the name, is 409 `E_MANAGED`, and so is what a configuration file names, with `file` and `fields`.'

const done: Answer = { description: 'Done', schema: {} }

const memberRefusals = [...reauthenticationRefusals, E_INSUFFICIENT_SCOPE, E_NOT_FOUND, E_MANAGED]

export const groupOperations: Operations = {
  'GET /groups': {
    summary: 'List the groups',
    description:
      'By name. `search` finds parts of a name and of a title. Without `cursor` and `limit` it has up to 1,000. Where more follow, the header `Link` has the address of the next page.',
    query: listGroupsValidator,
    answers: { 200: { description: 'By name', schema: listOf(ref('Group')), headers: LINK } },
  },
  'POST /groups': {
    summary: 'Create a group',
    description:
      'A name has 1 to 128 printable characters and no blanks at its ends, and is unique without regard to case. Applications learn it as it is written. Names with `:` belong to providers.',
    body: createGroupValidator,
    bodyExample: { name: 'Staff/Berlin', title: 'Staff in Berlin' },
    answers: { 201: { description: 'The group', schema: ref('Group') } },
    refusals: [E_GROUP_EXISTS, E_GROUP_LIMIT],
  },
  'GET /groups/:id': {
    summary: 'Read a group',
    answers: { 200: { description: 'The group', schema: ref('Group') } },
    refusals: [E_NOT_FOUND],
  },
  'PUT /groups/:id': {
    summary: 'Change a group',
    description: `The fields that are sent change. Another name holds everywhere at once. ${REAUTHENTICATION} ${KEYS}`,
    body: updateGroupValidator,
    isBodyOptional: true,
    bodyExample: { title: 'Berlin' },
    answers: { 200: { description: 'The group', schema: ref('Group') } },
    refusals: [...memberRefusals, E_GROUP_EXISTS],
  },
  'DELETE /groups/:id': {
    summary: 'Delete a group',
    description: `Nobody is in it from then on, and no application allows it any more. ${REAUTHENTICATION} ${KEYS}`,
    body: reauthenticationValidator,
    isBodyOptional: true,
    answers: { 204: done },
    refusals: memberRefusals,
  },
}

export const memberOperations: Operations = {
  'GET /groups/:id/members': {
    summary: 'List the members of a group',
    description:
      'In the order in which the accounts were made, 100 at most. Where more follow, the header `Link` has the address of the next page. `GET /users?group=` sorts and searches them.',
    query: listMembersValidator,
    answers: { 200: { description: 'Members', schema: listOf(ref('GroupMember')), headers: LINK } },
    refusals: [E_NOT_FOUND],
  },
  'PUT /groups/:id/members/:userId': {
    summary: 'Add an account to a group',
    description: `An account can be in 100 groups. A member stays one. ${REAUTHENTICATION} ${KEYS}`,
    body: reauthenticationValidator,
    isBodyOptional: true,
    answers: { 204: done },
    refusals: [...memberRefusals, E_GROUP_LIMIT],
  },
  'DELETE /groups/:id/members/:userId': {
    summary: 'Take an account out of a group',
    description: `${REAUTHENTICATION} ${KEYS}`,
    body: reauthenticationValidator,
    isBodyOptional: true,
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
    description: `Names in any capitals; an unknown one is 400. Groups of providers stay as they are. ${REAUTHENTICATION} ${KEYS}`,
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
