import {
  AUTH_METHODS,
  CLIENT_KINDS,
  CLIENT_SCOPES,
  GRANT_TYPES,
  type ClientRecord,
} from '#oidc/clients/client'
import { record, type Schema } from '../schema.ts'
import { instant, instantOrNull, text, textOrNull, uuid } from './fields.ts'

const uris = (example: string): Schema => ({ type: 'array', items: text, example: [example] })

const listFrom = (values: readonly string[], example: string[]): Schema => ({
  type: 'array',
  items: { type: 'string', enum: values },
  example,
})

const fields = {
  id: uuid,
  clientId: { ...text, example: '5f0c2a9d41be7730c8e1d6f2', description: 'The `client_id`.' },
  name: { ...text, example: 'Grafana' },
  kind: {
    type: 'string',
    enum: CLIENT_KINDS,
    description: 'The users of a `first_party` client are asked for no consent.',
  },
  redirectUris: uris('https://grafana.example.org/login/generic_oauth'),
  postLogoutRedirectUris: uris('https://grafana.example.org/login'),
  grantTypes: listFrom(GRANT_TYPES, ['authorization_code', 'refresh_token']),
  scopes: listFrom(CLIENT_SCOPES, ['openid', 'profile', 'email']),
  tokenEndpointAuthMethod: {
    type: 'string',
    enum: AUTH_METHODS,
    description: '`none` is a public client: an app of a browser, phone or desktop.',
  },
  backchannelLogoutUri: { ...textOrNull, example: null },
  serviceAccountId: {
    ...uuid,
    nullable: true,
    example: null,
    description: 'The service account for which the client acts by `client_credentials`.',
  },
  formerSecretUntil: {
    ...instantOrNull,
    example: null,
    description: 'Until when the secret of before the last rotation is good.',
  },
  createdAt: instant,
  updatedAt: instant,
} satisfies Record<keyof ClientRecord, Schema>

export const oauthClient = record<ClientRecord>(fields)

export const registeredClient = record<ClientRecord & { clientSecret: string | null }>({
  ...fields,
  clientSecret: {
    ...textOrNull,
    example: 'ghs_Vn2x0kQm8cS7uRy4tL1wZ9bE6aJ3dF5gH0iK2oP4qUs',
    description: 'Nobody can read it again; null for a public client.',
  },
})
