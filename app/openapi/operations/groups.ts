import { E_NOT_FOUND } from '#exceptions/http_errors'
import { E_GROUP_EXISTS, E_GROUP_LIMIT } from '#groups/errors'
import { createGroupValidator, listGroupsValidator, updateGroupValidator } from '#validators/groups'
import { listOf, ref } from '../schema.ts'
import { nextPage } from '../schemas/fields.ts'
import { KEYS, memberRefusals, REAUTHENTICATION } from './group_members.ts'
import { reauthenticationBody } from './reauthentication.ts'
import { done, type Operations } from '../operation.ts'

export const groupOperations: Operations = {
  'GET /groups': {
    summary: 'List the groups',
    description:
      'By name. `search` finds parts of a name and of a title. Without `cursor` and `limit` the answer contains up to 1,000. If more follow, the header `Link` contains the address of the next page.',
    query: listGroupsValidator,
    answers: { 200: { description: 'By name', schema: listOf(ref('Group')), headers: nextPage } },
  },
  'POST /groups': {
    summary: 'Create a group',
    description:
      'A name has 1 to 128 printable characters and no blanks at its ends, and is unique without regard to case. Applications receive the name as it is written. Names with `:` belong to providers.',
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
    ...reauthenticationBody,
    answers: { 204: done },
    refusals: memberRefusals,
  },
}
