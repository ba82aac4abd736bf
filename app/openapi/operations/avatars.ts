import { E_NOT_FOUND } from '#exceptions/http_errors'
import { ref } from '../schema.ts'
import { binary } from '../schemas/fields.ts'
import { userExample } from '../schemas/user.ts'
import { pictureUpload, uploadRefusals } from './uploads.ts'
import type { Operations } from '../operation.ts'

export const avatarOperations: Operations = {
  'POST /users/avatar': {
    summary: 'Set one’s own picture',
    description:
      'JPEG, PNG or WebP by its content, at most 2 MB and 16 megapixels. The picture is redrawn at 512×512 without metadata.',
    upload: pictureUpload,
    answers: {
      200: {
        description: 'The account with its picture',
        schema: ref('User'),
        example: userExample({ avatar: '/avatars/Lq8vT2nXw5cRk0yHs7uJm3pZd6fGb9eA.webp' }),
      },
    },
    refusals: uploadRefusals,
  },
  'GET /avatars/:name': {
    summary: 'Get a picture',
    description:
      'Without a token: the name cannot be guessed, and another picture gets another name. Pages of any origin may show it.',
    answers: {
      200: {
        description: 'The picture, 512×512',
        type: 'image/webp',
        schema: binary,
      },
    },
    refusals: [E_NOT_FOUND],
  },
  'DELETE /users/avatar': {
    summary: 'Remove one’s own picture',
    description: 'The file is deleted. Without a picture nothing changes.',
    answers: { 200: { description: 'The account without a picture', schema: ref('User') } },
  },
}
