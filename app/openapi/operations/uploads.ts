import {
  E_BAD_REQUEST,
  E_BUSY,
  E_NOT_FOUND,
  E_PAYLOAD_TOO_LARGE,
  E_TOO_MANY_REQUESTS,
  E_UNSUPPORTED_MEDIA_TYPE,
} from '#exceptions/http_errors'
import { invalidPicture } from '#users/errors'
import { record } from '../schema.ts'
import { binary, text } from '../schemas/fields.ts'

export const pictureUpload = { type: 'multipart/form-data', schema: record({ file: binary }) }

interface LogoForm {
  file: string
  currentPassword: string
  code: string
}

/** The user who sets a logo may have to authenticate again. */
export const logoUpload = {
  type: 'multipart/form-data',
  schema: record<LogoForm>({ file: binary, currentPassword: text, code: text }, [
    'currentPassword',
    'code',
  ]),
}

export const uploadRefusals = [
  invalidPicture(),
  E_BAD_REQUEST,
  E_NOT_FOUND,
  E_PAYLOAD_TOO_LARGE,
  E_UNSUPPORTED_MEDIA_TYPE,
  new E_TOO_MANY_REQUESTS().retryAfter(840),
  E_BUSY,
]
