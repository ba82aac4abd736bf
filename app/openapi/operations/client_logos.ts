import { E_NOT_FOUND } from '#exceptions/http_errors'
import { ref, type Schema } from '../schema.ts'
import { binary } from '../schemas/fields.ts'
import { reauthenticationBody, reauthenticationRefusals } from './reauthentication.ts'
import { logoUpload, uploadRefusals } from './uploads.ts'
import type { Operations } from '../operation.ts'

const client: Schema = ref('OAuthClient')

export const clientLogoOperations: Operations = {
  'PUT /oauth-clients/:id/logo': {
    summary: 'Set the logo of a client',
    description:
      'JPEG, PNG or WebP by its content, at most 1 MB and 16 megapixels, in the part `file`. The logo is redrawn at 512×512 without metadata. Users see it when they allow the client, and in their list of applications. A user without a recent login sends `currentPassword` and, with multi-factor, `code`.',
    upload: logoUpload,
    answers: { 200: { description: 'The client with its logo', schema: client } },
    refusals: [...uploadRefusals, ...reauthenticationRefusals],
  },
  'DELETE /oauth-clients/:id/logo': {
    summary: 'Remove the logo of a client',
    description: 'The file is deleted. Without a logo nothing changes.',
    ...reauthenticationBody,
    answers: { 200: { description: 'The client without a logo', schema: client } },
    refusals: [E_NOT_FOUND, ...reauthenticationRefusals],
  },
  'GET /client-logos/:name': {
    summary: 'Get the logo of a client',
    description:
      'Without a token: the name cannot be guessed, and another logo gets another name. Pages of any origin may show it.',
    answers: {
      200: { description: 'The logo, 512×512', type: 'image/webp', schema: binary },
    },
    refusals: [E_NOT_FOUND],
  },
}
