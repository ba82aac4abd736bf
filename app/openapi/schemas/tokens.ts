import type { ActiveKey, ActiveToken } from '#auth/introspection'
import type { loginResponse, refreshResponse } from '#auth/tokens/token_response'
import { record, type Schema } from '../schema.ts'
import { count, sessionId, text, uuid, yesNo } from './fields.ts'
import { SESSION_ID, USER_ID } from '../examples.ts'

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

const seconds: Schema = { ...count, description: 'Seconds since the epoch.' }

export const activeToken = record<ActiveToken>(
  {
    active: { ...yesNo, enum: [true], example: true },
    token_type: { type: 'string', enum: ['Bearer', 'DPoP'] },
    cnf: record<{ jkt: string }>({
      jkt: {
        ...text,
        description: 'Thumbprint of the key of the client that the token is bound to.',
      },
    }),
    sid: { ...sessionId, description: 'The session of the token.' },
    sub: { ...uuid, example: USER_ID },
    email: { ...text, format: 'email', description: 'For a client only with its scope `email`.' },
    role: { ...text, description: 'For a client only with its scope `profile`.' },
    jti: { ...text, example: `${SESSION_ID}.3c9d1f72-5b8e-4a60-8f14-d2e7a6c0b953` },
    iat: { ...seconds, example: 1_795_253_400 },
    exp: { ...seconds, example: 1_795_254_300 },
    iss: { ...text, example: 'gatehouse' },
    aud: { ...text, example: 'gatehouse' },
    client_id: { ...text, description: 'The client of `/oauth/token` that it was issued to.' },
    scope: text,
  },
  ['cnf', 'email', 'role', 'jti', 'aud', 'client_id', 'scope']
)

export const activeKey = record<Required<ActiveKey>>(
  {
    active: { ...yesNo, enum: [true], example: true },
    token_type: tokenType,
    scope: { ...text, description: 'All that the key may do, separated by blanks.' },
    sub: { ...uuid, example: USER_ID },
    email: { ...text, format: 'email', description: 'Missing for a service account.' },
    role: text,
    jti: { ...text, description: 'The id of the key.' },
    exp: { ...seconds, example: 1_795_254_300 },
  },
  ['email']
)

export const inactiveToken = record<{ active: false }>({
  active: { ...yesNo, enum: [false], example: false },
})
