import { E_MANAGED } from '#configuration/errors'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { E_UPGRADE_PENDING } from '#processes/upgrade'
import { E_CLIENT_ID_TAKEN, E_CLIENT_LIMIT } from '#oidc/clients/errors'
import {
  createClientValidator,
  listClientsValidator,
  previewValidator,
  rotateSecretValidator,
  updateClientValidator,
} from '#validators/clients'
import { listOf, ref } from '../schema.ts'
import { message, nextPage } from '../schemas/fields.ts'
import {
  reauthenticationBody,
  reauthenticationRefusals,
  USER_REAUTHENTICATION,
} from './reauthentication.ts'
import type { Operations } from '../operation.ts'

const EXAMPLE = {
  name: 'Grafana',
  redirectUris: ['https://grafana.example.org/login/generic_oauth'],
}

const REAUTHENTICATION = `${USER_REAUTHENTICATION} An API key or an application can only access clients without API scopes and without a service account. It cannot create a first-party client, and can change only the name of one.`

const MANAGED = 'What a configuration file names is 409 `E_MANAGED` with `file` and `fields`.'

const changeRefusals = [E_NOT_FOUND, E_MANAGED, ...reauthenticationRefusals]

export const oauthClientOperations: Operations = {
  'GET /oauth-clients': {
    summary: 'List the clients',
    description:
      'By name. `search` finds parts of a name, of a client id and of the first 256 characters of the redirect addresses. Without `cursor` and `limit` the answer contains up to 1,000. A page ends earlier at 4 MB. If more follow, the header `Link` contains the address of the next page.',
    query: listClientsValidator,
    answers: {
      200: { description: 'By name', schema: listOf(ref('OAuthClient')), headers: nextPage },
    },
  },
  'POST /oauth-clients': {
    summary: 'Register a client',
    description: `Only this answer contains the secret. Without \`clientId\` and \`clientSecret\` the server makes them. A \`preset\`, such as \`grafana\`, fills in what is not sent; \`url\` is where that application is. ${REAUTHENTICATION}`,
    body: createClientValidator,
    bodyExample: EXAMPLE,
    answers: { 201: { description: 'Registered', schema: ref('RegisteredClient') } },
    refusals: [E_CLIENT_ID_TAKEN, E_CLIENT_LIMIT, E_UPGRADE_PENDING, ...reauthenticationRefusals],
  },
  'GET /oauth-clients/:id': {
    summary: 'Read a client',
    answers: { 200: { description: 'The client', schema: ref('OAuthClient') } },
    refusals: [E_NOT_FOUND],
  },
  'GET /oauth-clients/:id/refusals': {
    summary: 'List what a client was refused',
    description:
      'From the last 24 hours: at most 10 lines of requests that authenticated as the client or came with the session of an administrator, then at most 10 of other requests, the newest first.',
    answers: { 200: { description: 'The refusals', schema: listOf(ref('ClientRefusal')) } },
    refusals: [E_NOT_FOUND],
  },
  'GET /oauth-clients/:id/preview': {
    summary: 'Preview what a client gets of a user',
    description:
      'Whether the user may enter, by which group (null where everybody may), and what a token would carry for all scopes of the client. For administrators, not for keys.',
    query: previewValidator,
    answers: { 200: { description: 'The preview', schema: ref('ClientPreview') } },
    refusals: [E_NOT_FOUND],
  },
  'PUT /oauth-clients/:id': {
    summary: 'Change a client',
    description: `The fields that are sent change. ${MANAGED} ${REAUTHENTICATION}`,
    body: updateClientValidator,
    bodyExample: { name: 'Grafana' },
    answers: { 200: { description: 'The client', schema: ref('OAuthClient') } },
    refusals: [E_UPGRADE_PENDING, ...changeRefusals],
  },
  'DELETE /oauth-clients/:id': {
    summary: 'Delete a client',
    description: `Every session that people have with it ends. ${MANAGED} ${REAUTHENTICATION}`,
    ...reauthenticationBody,
    answers: { 200: { description: 'Deleted', schema: message('Client deleted') } },
    refusals: changeRefusals,
  },
  'POST /oauth-clients/:id/rotate-secret': {
    summary: 'Give a client another secret',
    description: `The previous secret works for 24 more hours. Without \`clientSecret\` the server makes one. ${MANAGED} ${REAUTHENTICATION}`,
    body: rotateSecretValidator,
    isBodyOptional: true,
    answers: { 200: { description: 'The client', schema: ref('RegisteredClient') } },
    refusals: changeRefusals,
  },
}
