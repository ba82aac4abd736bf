import { record, type Schema } from '../schema.ts'
import { count, text } from './fields.ts'

/** RFC 6749, section 5.2. */
export const oauthError: Schema = {
  ...record(
    {
      error: { ...text, description: 'For programs to decide on.', example: 'invalid_grant' },
      error_description: { ...text, example: 'grant request is invalid' },
    },
    ['error_description']
  ),
  additionalProperties: true,
}

/** RFC 6749, section 5.1, and OpenID Connect Core 1.0, section 3.1.3.3. */
export const oauthTokens: Schema = record(
  {
    access_token: text,
    token_type: { ...text, enum: ['Bearer', 'DPoP'] },
    expires_in: count,
    scope: text,
    id_token: { ...text, description: 'With the scope `openid`.' },
    refresh_token: {
      ...text,
      description: 'With the scope `offline_access`, or as the client is set.',
    },
  },
  ['scope', 'id_token', 'refresh_token']
)
