import { E_NOT_FOUND } from '#exceptions/http_errors'
import { reauthenticationValidator } from '#validators/auth'
import { record, ref, type Schema } from '../schema.ts'
import { text } from '../schemas/fields.ts'
import { reauthenticationRefusals } from './profile.ts'
import { uploadRefusals } from './user_actions.ts'
import type { Operations } from '../operation.ts'

interface LogoForm {
  file: string
  currentPassword: string
  code: string
}

const client: Schema = ref('OAuthClient')

const file: Schema = { type: 'string', format: 'binary' }

const logo = {
  type: 'multipart/form-data',
  schema: record<LogoForm>({ file, currentPassword: text, code: text }, [
    'currentPassword',
    'code',
  ]),
}

export const clientLogoOperations: Operations = {
  'PUT /oauth-clients/:id/logo': {
    summary: 'Set the logo of a client',
    description:
      'JPEG, PNG or WebP by its content, at most 1 MB and 16 megapixels, in the part `file`. It is drawn anew at 512×512 without metadata. Users see it when they allow the client, and in their list of applications. A user without a recent login sends `currentPassword` and, with multi-factor, `code`.',
    upload: logo,
    answers: { 200: { description: 'The client with its logo', schema: client } },
    refusals: [...uploadRefusals, ...reauthenticationRefusals],
  },
  'DELETE /oauth-clients/:id/logo': {
    summary: 'Remove the logo of a client',
    description: 'The file is deleted. Without a logo nothing changes.',
    body: reauthenticationValidator,
    isBodyOptional: true,
    answers: { 200: { description: 'The client without a logo', schema: client } },
    refusals: [E_NOT_FOUND, ...reauthenticationRefusals],
  },
  'GET /client-logos/:name': {
    summary: 'Get the logo of a client',
    description:
      'Without a token: the name cannot be guessed, and another logo gets another name. Pages of any origin may show it.',
    answers: {
      200: { description: 'The logo, 512×512', type: 'image/webp', schema: file },
    },
    refusals: [E_NOT_FOUND],
  },
}
