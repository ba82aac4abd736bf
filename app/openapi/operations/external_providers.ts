import { E_INSUFFICIENT_SCOPE, E_LAST_ADMIN } from '#auth/errors'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { E_PROVIDER_EXISTS, E_PROVIDER_LIMIT, E_SET_BY_ENVIRONMENT } from '#settings/errors'
import { createProviderValidator, updateProviderValidator } from '#validators/settings'
import { listOf, record, ref } from '../schema.ts'
import { text, yesNo } from '../schemas/fields.ts'
import { REAUTHENTICATION, reauthenticationBody } from './reauthentication.ts'
import { settingRefusals } from './settings.ts'
import { done, type Answer, type Operations } from '../operation.ts'

const provider: Answer = { description: 'The provider', schema: ref('ExternalProvider') }

const changeRefusals = [...settingRefusals, E_SET_BY_ENVIRONMENT]

export const providerOperations: Operations = {
  'GET /external-providers': {
    summary: 'List the external providers',
    description: 'Providers of the environment come first; only it can change them.',
    answers: { 200: { description: 'Providers', schema: listOf(ref('ExternalProvider')) } },
    refusals: [E_INSUFFICIENT_SCOPE],
  },
  'POST /external-providers': {
    summary: 'Add an external provider',
    description: `It signs in new users, and existing users who linked it while they were signed in, but never an administrator who has not linked it. The address of a new account is confirmed by mail. Its redirect address here is \`/auth/external/<name>/callback\`. ${REAUTHENTICATION}`,
    body: createProviderValidator,
    bodyExample: {
      name: 'acme',
      issuer: 'https://login.acme.example',
      clientId: 'gatehouse',
      clientSecret: 'what the provider gave you',
    },
    answers: { 201: provider },
    refusals: [...changeRefusals, E_PROVIDER_EXISTS, E_PROVIDER_LIMIT],
  },
  'PUT /external-providers/:name': {
    summary: 'Change an external provider',
    description: `The fields that are sent change. Another \`issuer\` needs \`clientSecret\` again. ${REAUTHENTICATION}`,
    body: updateProviderValidator,
    isBodyOptional: true,
    bodyExample: { clientId: 'gatehouse-2' },
    answers: { 200: provider },
    refusals: [...changeRefusals, E_NOT_FOUND, E_LAST_ADMIN],
  },
  'DELETE /external-providers/:name': {
    summary: 'Delete an external provider',
    description: `Linked identities stay, but sign nobody in until the provider is back. ${REAUTHENTICATION}`,
    ...reauthenticationBody,
    answers: { 204: done },
    refusals: [...changeRefusals, E_NOT_FOUND, E_LAST_ADMIN],
  },
  'POST /external-providers/:name/test': {
    summary: 'Try an external provider',
    description: `Reads the document of the issuer and asks for tokens with a code that does not exist. What you send is tried and not saved; what you leave out is taken from the saved provider. A provider of the environment is tried as it is set. At most 10 tries an hour. ${REAUTHENTICATION}`,
    body: updateProviderValidator,
    isBodyOptional: true,
    answers: {
      200: {
        description: 'Whether it would work, in a sentence',
        schema: record<{ ok: boolean; message: string }>({ ok: yesNo, message: text }),
      },
    },
    refusals: changeRefusals,
  },
}
