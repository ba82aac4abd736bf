import { E_NOT_FOUND } from '#exceptions/http_errors'
import { listOf, ref } from '../schema.ts'
import { message } from '../schemas/fields.ts'
import type { Operations } from '../operation.ts'

export const deviceOperations: Operations = {
  'GET /auth/devices': {
    summary: 'List the known devices of the caller',
    description:
      'Devices whose device token is still valid: failed logins of other devices do not lock them.',
    answers: {
      200: {
        description: 'Known devices, the one that signed in last first',
        schema: listOf(ref('Device')),
      },
    },
  },
  'DELETE /auth/devices/:id': {
    summary: 'Withdraw a known device of the caller',
    description:
      'Its device tokens are invalid from then on, until it signs in again. Its session continues.',
    answers: { 200: { description: 'Withdrawn', schema: message('Device withdrawn') } },
    refusals: [E_NOT_FOUND],
  },
}
