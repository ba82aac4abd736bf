import { E_INSUFFICIENT_SCOPE, E_LAST_ADMIN } from '#auth/errors'
import { E_NOT_FOUND, invalidField } from '#exceptions/http_errors'
import { WRITABLE } from '#settings/values/definitions'
import {
  E_CHANGED,
  E_NO_SECOND_FACTOR,
  E_PRECONDITION_REQUIRED,
  E_PROVIDER_EXISTS,
  E_PROVIDER_LIMIT,
  E_SET_BY_ENVIRONMENT,
  E_SETTINGS_LOCKED,
} from '#settings/errors'
import { reauthenticationValidator } from '#validators/auth'
import { createProviderValidator, updateProviderValidator } from '#validators/settings'
import { listOf, record, ref, type Schema } from '../schema.ts'
import { text, yesNo } from '../schemas/fields.ts'
import { settingValue } from '../schemas/setting.ts'
import { REAUTHENTICATION, reauthenticationRefusals } from './profile.ts'
import { uploadRefusals } from './user_actions.ts'
import type { Answer, Operations, Parameter } from '../operation.ts'

const ifMatch: Parameter = {
  name: 'If-Match',
  in: 'header',
  required: true,
  description: 'The `ETag` of the list that you have read.',
  schema: text,
}

const list: Answer = {
  description: 'Every setting',
  schema: listOf(ref('Setting')),
  headers: { ETag: 'For `If-Match` of the next change.' },
}

/** A setting by its name; what else there is refuses it. */
const changes = {
  toJSONSchema() {
    const { properties, ...schema } = reauthenticationValidator.toJSONSchema() as Schema
    const settings = WRITABLE.map((name) => [name, settingValue])
    return { ...schema, properties: { ...Object.fromEntries(settings), ...properties } }
  },
  tryValidate: async (data: unknown): Promise<[null, unknown]> => [null, data],
}

const INVALID = invalidField(
  'BRAND_COLOR',
  'setting',
  'BRAND_COLOR must be a colour such as #2f56cf'
)

const commonRefusals = [...reauthenticationRefusals, E_INSUFFICIENT_SCOPE, E_SETTINGS_LOCKED]

const sharedRefusals = [...commonRefusals, E_SET_BY_ENVIRONMENT]

const changeRefusals = [
  ...commonRefusals,
  new E_SET_BY_ENVIRONMENT().with({ fields: ['BRAND_NAME'] }),
  E_CHANGED,
  E_PRECONDITION_REQUIRED,
]

interface LogoForm {
  file: string
  currentPassword: string
  code: string
}

const logo = {
  type: 'multipart/form-data',
  schema: record<LogoForm>(
    { file: { type: 'string', format: 'binary' }, currentPassword: text, code: text },
    ['currentPassword', 'code']
  ),
}

export const settingOperations: Operations = {
  'GET /settings': {
    summary: 'List the settings',
    description:
      'Every setting with its value and where that comes from. The environment wins and locks its setting. Of a secret nothing but `set` is shown.',
    answers: { 200: list },
    refusals: [E_INSUFFICIENT_SCOPE],
  },
  'PATCH /settings': {
    summary: 'Change settings',
    description: `All of the changes or none, on every process from its next request on. Values are texts as in the environment, or booleans and numbers; null unsets. A stored password is used with the server alone that it was saved with: with another \`SMTP_HOST\` or \`SMTP_PORT\` send it again. Every administrator gets a mail, unless it is about the brand alone. ${REAUTHENTICATION}`,
    parameters: [ifMatch],
    body: changes,
    bodyExample: { BRAND_NAME: 'Acme', SIGN_UP: 'invite' },
    answers: { 200: list },
    refusals: [...changeRefusals, INVALID, E_NO_SECOND_FACTOR, E_LAST_ADMIN],
  },
  'PUT /settings/BRAND_LOGO': {
    summary: 'Set the logo',
    description: `JPEG, PNG or WebP by its content, at most 256 KB and 16 megapixels, in the part \`file\`. It is drawn anew without metadata. \`PATCH /settings\` with null removes it. ${REAUTHENTICATION}`,
    parameters: [ifMatch],
    upload: logo,
    answers: { 200: list },
    refusals: [...uploadRefusals, ...changeRefusals],
  },
}

const provider: Answer = { description: 'The provider', schema: ref('ExternalProvider') }

export const providerOperations: Operations = {
  'GET /external-providers': {
    summary: 'List the external providers',
    description: 'Those of the environment first; only the environment changes them.',
    answers: { 200: { description: 'Providers', schema: listOf(ref('ExternalProvider')) } },
    refusals: [E_INSUFFICIENT_SCOPE],
  },
  'POST /external-providers': {
    summary: 'Add an external provider',
    description: `It signs in new accounts, and existing ones that have linked it while they were signed in: never an administrator who has not. Its redirect address here is \`/auth/external/<name>/callback\`. ${REAUTHENTICATION}`,
    body: createProviderValidator,
    bodyExample: {
      name: 'acme',
      issuer: 'https://login.acme.example',
      clientId: 'gatehouse',
      clientSecret: 'what the provider gave you',
    },
    answers: { 201: provider },
    refusals: [...sharedRefusals, E_PROVIDER_EXISTS, E_PROVIDER_LIMIT],
  },
  'PUT /external-providers/:name': {
    summary: 'Change an external provider',
    description: `The fields that are sent change. Another \`issuer\` needs \`clientSecret\` again. ${REAUTHENTICATION}`,
    body: updateProviderValidator,
    isBodyOptional: true,
    bodyExample: { clientId: 'gatehouse-2' },
    answers: { 200: provider },
    refusals: [...sharedRefusals, E_NOT_FOUND, E_LAST_ADMIN],
  },
  'DELETE /external-providers/:name': {
    summary: 'Delete an external provider',
    description: `Linked identities stay, and sign nobody in until it comes back. ${REAUTHENTICATION}`,
    body: reauthenticationValidator,
    isBodyOptional: true,
    answers: { 204: { description: 'Done', schema: {} } },
    refusals: [...sharedRefusals, E_NOT_FOUND, E_LAST_ADMIN],
  },
  'POST /external-providers/:name/test': {
    summary: 'Try an external provider',
    description: `Reads the document of the issuer and asks for tokens with a code that does not exist. What you send is tried and not saved; what you leave out is taken from the saved provider. A provider of the environment is tried as it is set. 10 in an hour. ${REAUTHENTICATION}`,
    body: updateProviderValidator,
    isBodyOptional: true,
    answers: {
      200: {
        description: 'Whether it would work, in a sentence',
        schema: record<{ ok: boolean; message: string }>({ ok: yesNo, message: text }),
      },
    },
    refusals: sharedRefusals,
  },
}
