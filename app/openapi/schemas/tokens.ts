import type { loginResponse, refreshResponse } from '#transformers/token_response'
import { record, type Schema } from '../schema.ts'
import { text, uuid } from './fields.ts'

const tokenType: Schema = { type: 'string', enum: ['Bearer'] }

const expiresIn: Schema = {
  type: 'integer',
  minimum: 1,
  description: 'Seconds that the access token lives.',
}

export const login = record<ReturnType<typeof loginResponse>>({
  accessToken: text,
  refreshToken: text,
  expiresIn,
  tokenType,
  user: record<ReturnType<typeof loginResponse>['user']>({
    id: uuid,
    email: { ...text, format: 'email' },
    username: text,
    role: text,
  }),
})

export const refresh = record<Required<ReturnType<typeof refreshResponse>>>(
  {
    accessToken: text,
    expiresIn,
    tokenType,
    refreshToken: { ...text, description: 'Only with `REFRESH_ROTATION=on`.' },
  },
  ['refreshToken']
)
