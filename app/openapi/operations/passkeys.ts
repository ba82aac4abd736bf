import { E_LAST_METHOD, E_PASSKEY_EXISTS, E_PASSKEY_INVALID, E_PASSKEY_LIMIT } from '#auth/errors'
import { E_NOT_FOUND, E_TOO_MANY_REQUESTS } from '#exceptions/http_errors'
import { passkeyNameValidator, registrationValidator } from '#validators/passkeys'
import { ATTESTATION } from '../example_passkeys.ts'
import { listOf, ref } from '../schema.ts'
import { message } from '../schemas/fields.ts'
import { creationOptions } from '../schemas/creation_options.ts'
import {
  REAUTHENTICATION,
  reauthenticationBody,
  reauthenticationRefusals,
} from './reauthentication.ts'
import type { Operation, Operations } from '../operation.ts'

const list = (summary: string): Operation => ({
  summary,
  description: 'Each with the times when it was added and last used.',
  answers: {
    200: { description: 'The passkeys, the oldest first', schema: listOf(ref('Passkey')) },
  },
})

const remove = (summary: string): Operation => ({
  summary,
  description: `${REAUTHENTICATION} The other sessions that a passkey started end, and a mail tells the owner. The only way to sign in is not removed.`,
  ...reauthenticationBody,
  bodyExample: {},
  answers: { 200: { description: 'Removed', schema: message('Passkey removed') } },
  refusals: [...reauthenticationRefusals, E_NOT_FOUND, E_LAST_METHOD],
})

export const passkeyOperations: Operations = {
  'POST /auth/passkeys/registration-options': {
    summary: 'Ask for a challenge to add a passkey',
    description: `The options for \`navigator.credentials.create\` (\`PublicKeyCredential.parseCreationOptionsFromJSON\`). The challenge works once, for five minutes and in this session. ${REAUTHENTICATION}`,
    ...reauthenticationBody,
    bodyExample: {},
    answers: { 200: { description: 'The options', schema: creationOptions } },
    refusals: [...reauthenticationRefusals, E_NOT_FOUND, E_PASSKEY_LIMIT],
  },
  'POST /auth/passkeys': {
    summary: 'Add a passkey',
    description:
      'With the response of the authenticator, as `PublicKeyCredential.toJSON()` writes it, at most 16 KB. Without `name` the passkey is named after what stores it. A mail tells the owner. At most 10 for each account.',
    body: registrationValidator,
    bodyExample: { response: ATTESTATION, name: 'My phone' },
    answers: { 201: { description: 'Added', schema: ref('Passkey') } },
    refusals: [
      new E_PASSKEY_INVALID(undefined, { status: 400 }),
      E_PASSKEY_EXISTS,
      E_PASSKEY_LIMIT,
      E_NOT_FOUND,
    ],
  },
  'GET /auth/passkeys': list('List the passkeys of the caller'),
  'PATCH /auth/passkeys/:id': {
    summary: 'Rename a passkey',
    description: 'The name only labels the passkey.',
    body: passkeyNameValidator,
    bodyExample: { name: 'My phone' },
    answers: { 200: { description: 'Renamed', schema: ref('Passkey') } },
    refusals: [E_NOT_FOUND, new E_TOO_MANY_REQUESTS().retryAfter(840)],
  },
  'DELETE /auth/passkeys/:id': remove('Remove a passkey'),
  'GET /users/:id/passkeys': {
    ...list('List the passkeys of an account'),
    refusals: [E_NOT_FOUND],
  },
  'DELETE /users/:id/passkeys/:passkeyId': {
    ...remove('Remove a passkey of an account'),
    description:
      'For administrators. The sessions that a passkey started end, and a mail tells the owner. The only way to sign in stays: `POST /users/:id/reset-mfa` removes every passkey. For another administrator it needs a recent authentication of the caller.',
  },
}
