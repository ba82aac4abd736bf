import { mapFields, type FieldName, type FieldType } from '#oidc/clients/client_fields'
import type { ClientRecord } from '#oidc/clients/client'
import { REASONS } from '#oidc/refusals/reasons'
import type { Preview } from '#oidc/tokens/preview'
import type { RefusalRecord } from '#oidc/refusals/list_refusals'
import { USER_ID } from '../examples.ts'
import { record, type Schema } from '../schema.ts'
import { instant, instantOrNull, text, textOrNull, uuid, yesNo } from './fields.ts'

/** What each field means to somebody who registers a client. */
const ABOUT: Record<FieldName, Pick<Schema, 'example' | 'description'>> = {
  name: { example: 'Grafana' },
  kind: { description: 'Users of a `first_party` client are not asked for consent.' },
  redirectUris: { example: ['https://grafana.example.org/login/generic_oauth'] },
  postLogoutRedirectUris: { example: ['https://grafana.example.org/login'] },
  grantTypes: { example: ['authorization_code', 'refresh_token'] },
  scopes: { example: ['openid', 'profile', 'email'] },
  tokenEndpointAuthMethod: {
    description:
      '`none` is a public client: an app in a browser, on a phone or desktop. `private_key_jwt` needs `jwks` or `jwksUri`.',
  },
  jwks: {
    example: null,
    description: 'Public keys of the client: at most 10, RSA (2048 bits or more), EC or Ed25519.',
  },
  jwksUri: { example: null, description: 'Where the public keys are read, over https.' },
  backchannelLogoutUri: { example: null },
  serviceAccountId: {
    example: null,
    description: 'The service account for which the client acts by `client_credentials`.',
  },
  homeUrl: {
    example: 'https://grafana.example.org',
    description: 'Where users open the application.',
  },
  requirePkce: {
    description:
      'By default true for a client without a secret. A public client cannot turn it off.',
  },
  idTokenAlgorithm: { description: 'What signs ID tokens and logout tokens.' },
  idTokenClaims: {
    description: 'Whether the ID token contains the claims of the scopes, as userinfo does.',
  },
  claims: {
    example: { department: 'appMetadata.department' },
    description:
      'Additional claims in tokens and userinfo, at most 20, with their sources: `id`, `email`, `username`, `nickname`, `role`, `groups`, `groups:<prefix>`, `appMetadata.<path>` or `=text`.',
  },
  allowHttp: {
    description:
      'Whether redirect addresses of private networks may be http; never with API scopes.',
  },
  requireVerifiedEmail: {
    description: 'Whether users confirm their address before the client receives it.',
  },
  refreshTokens: {
    description: '`always` gives a refresh token without `offline_access` too.',
  },
  refreshTokenTtl: {
    example: '30d',
    description: 'A duration of at most 366d; null for `REFRESH_TOKEN_TTL`.',
  },
  access: { description: 'With `groups`, only members of `allowedGroups` can sign in.' },
  allowedGroups: {
    example: ['staff'],
    description: 'Names of groups. Without any, nobody can sign in.',
  },
  requireMfa: { description: 'Whether users sign in with two factors.' },
  requirePar: { description: 'Whether the client must push its requests (RFC 9126).' },
  requireDpop: { description: 'Whether the client must bind its tokens to a key (RFC 9449).' },
}

function schemaOf(field: FieldType): Schema {
  switch (field.type) {
    case 'name':
      return text
    case 'choice':
      return { type: 'string', enum: field.values }
    case 'choices':
      return { type: 'array', items: { type: 'string', enum: field.values } }
    case 'uris':
    case 'groups':
      return { type: 'array', items: text }
    case 'switch':
      return yesNo
    case 'claims':
      return { type: 'object', additionalProperties: text }
    case 'keys':
      return { ...KEY_SET, nullable: true }
    case 'user':
      return { ...uuid, nullable: true }
    default:
      return textOrNull
  }
}

const KEY_SET: Schema = {
  type: 'object',
  properties: { keys: { type: 'array', items: { type: 'object' } } },
  required: ['keys'],
}

const fields = {
  id: uuid,
  clientId: { ...text, example: '5f0c2a9d41be7730c8e1d6f2', description: 'The `client_id`.' },
  logo: {
    ...textOrNull,
    example: null,
    description: 'The path of its picture on this server.',
  },
  ...mapFields((name, field) => ({ ...schemaOf(field), ...ABOUT[name] })),
  previousSecretUntil: {
    ...instantOrNull,
    example: null,
    description: 'Until when the secret before the last rotation works.',
  },
  createdAt: instant,
  updatedAt: instant,
} satisfies Record<keyof ClientRecord, Schema>

export const oauthClient = record<ClientRecord>(fields)

export const clientRefusal = record<RefusalRecord>({
  reason: { type: 'string', enum: Object.keys(REASONS), example: 'redirect_uri' },
  sent: {
    ...textOrNull,
    example: 'https://grafana.example.org/login/oauth',
    description: 'What was sent: an address without its query, or words. Null for a secret.',
  },
  count: { type: 'integer', minimum: 1, example: 3 },
  firstAt: instant,
  lastAt: instant,
  remedy: { ...text, example: 'Compare it with the registered addresses, character by character.' },
  setting: {
    ...textOrNull,
    example: 'redirectUris',
    description: 'The field of the client that would allow it, or null.',
  },
})

export const clientPreview = record<Preview>({
  allowed: yesNo,
  group: { ...textOrNull, example: 'staff' },
  claims: {
    type: 'object',
    additionalProperties: true,
    example: { sub: USER_ID, email: 'ada@example.org', groups: ['staff'] },
  },
})

export const registeredClient = record<ClientRecord & { clientSecret: string | null }>({
  ...fields,
  clientSecret: {
    ...textOrNull,
    example: 'ghs_Vn2x0kQm8cS7uRy4tL1wZ9bE6aJ3dF5gH0iK2oP4qUs',
    description: 'It cannot be read again; null for a client without a secret.',
  },
})
