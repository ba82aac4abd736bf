import { E_INSUFFICIENT_SCOPE, E_LAST_ADMIN } from '#auth/errors'
import { invalidField } from '#exceptions/http_errors'
import { WRITABLE } from '#settings/values/definitions'
import {
  E_CHANGED,
  E_NO_SECOND_FACTOR,
  E_PRECONDITION_REQUIRED,
  E_SET_BY_ENVIRONMENT,
  E_SETTINGS_LOCKED,
} from '#settings/errors'
import { reauthenticationValidator } from '#validators/auth'
import { listOf, ref, type Schema } from '../schema.ts'
import { text } from '../schemas/fields.ts'
import { settingValue } from '../schemas/setting.ts'
import { REAUTHENTICATION, reauthenticationRefusals } from './reauthentication.ts'
import { logoUpload, uploadRefusals } from './uploads.ts'
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

/** Refusals of every change of a setting or an external provider. */
export const settingRefusals = [
  ...reauthenticationRefusals,
  E_INSUFFICIENT_SCOPE,
  E_SETTINGS_LOCKED,
]

const changeRefusals = [
  ...settingRefusals,
  new E_SET_BY_ENVIRONMENT().with({ fields: ['BRAND_NAME'] }),
  E_CHANGED,
  E_PRECONDITION_REQUIRED,
]

export const settingOperations: Operations = {
  'GET /settings': {
    summary: 'List the settings',
    description:
      'Every setting with its value and the source of the value. The environment wins and locks its setting. A secret is only shown as `set`.',
    answers: { 200: list },
    refusals: [E_INSUFFICIENT_SCOPE],
  },
  'PATCH /settings': {
    summary: 'Change settings',
    description: `Makes all changes or none; every process uses them from its next request on. Values are texts as in the environment, or booleans and numbers; null unsets. A stored password is used only with the server that it was saved with: with another \`SMTP_HOST\` or \`SMTP_PORT\` send it again. Every administrator gets a mail, unless only the brand changes. ${REAUTHENTICATION}`,
    parameters: [ifMatch],
    body: changes,
    bodyExample: { BRAND_NAME: 'Acme', SIGN_UP: 'invite' },
    answers: { 200: list },
    refusals: [...changeRefusals, INVALID, E_NO_SECOND_FACTOR, E_LAST_ADMIN],
  },
  'PUT /settings/BRAND_LOGO': {
    summary: 'Set the logo',
    description: `JPEG, PNG or WebP by its content, at most 256 KB and 16 megapixels, in the part \`file\`. The logo is redrawn without metadata. \`PATCH /settings\` with null removes it. ${REAUTHENTICATION}`,
    parameters: [ifMatch],
    upload: logoUpload,
    answers: { 200: list },
    refusals: [...uploadRefusals, ...changeRefusals],
  },
}
