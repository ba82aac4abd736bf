import { isDeepStrictEqual } from 'node:util'
import provider from '#config/oidc'
import { ID_TOKEN_ALGORITHMS } from '#auth/signing_keys/signing_key'
import {
  ACCESS,
  AUTH_METHODS,
  CLIENT_KINDS,
  CLIENT_SCOPES,
  GRANT_TYPES,
  DEFAULT_SCOPES,
  REFRESH_TOKENS,
  isPublic,
  type ClientSettings,
} from './client.ts'

/*
 | Rows, validators, the API description, files of configuration and the trail read this table. The
 | compiler names what a new field lacks: its description, the flag of commands. It does not know
 | the form of the console (`app/pages/clients/client_fields.ts`) and its texts.
 */

/** All types may be null, except lists, switches, claims, `name` and `choice`. */
export type FieldType =
  | {
      type: 'name' | 'uris' | 'uri' | 'user' | 'switch' | 'duration' | 'keys' | 'claims' | 'groups'
    }
  | { type: 'choice'; values: readonly string[] }
  | { type: 'choices'; values: readonly string[]; isEmptyAllowed: boolean }

export type ClientField<Value = unknown> = FieldType & { column: string; fallback: Value }

const NONE = { fallback: null }
const OFF = { type: 'switch', fallback: false } as const

export const CLIENT_FIELDS: { [Name in keyof ClientSettings]: ClientField<ClientSettings[Name]> } =
  {
    name: { column: 'name', type: 'name', fallback: '' },
    kind: { column: 'kind', type: 'choice', values: CLIENT_KINDS, fallback: 'third_party' },
    redirectUris: { column: 'redirect_uris', type: 'uris', fallback: [] },
    postLogoutRedirectUris: { column: 'post_logout_redirect_uris', type: 'uris', fallback: [] },
    grantTypes: {
      column: 'grant_types',
      type: 'choices',
      values: GRANT_TYPES,
      isEmptyAllowed: false,
      fallback: ['authorization_code', 'refresh_token'],
    },
    scopes: {
      column: 'scopes',
      type: 'choices',
      values: CLIENT_SCOPES,
      isEmptyAllowed: true,
      fallback: [...DEFAULT_SCOPES],
    },
    tokenEndpointAuthMethod: {
      column: 'token_endpoint_auth_method',
      type: 'choice',
      values: AUTH_METHODS,
      fallback: 'client_secret_basic',
    },
    jwks: { column: 'jwks', type: 'keys', ...NONE },
    jwksUri: { column: 'jwks_uri', type: 'uri', ...NONE },
    backchannelLogoutUri: { column: 'backchannel_logout_uri', type: 'uri', ...NONE },
    serviceAccountId: { column: 'service_account_id', type: 'user', ...NONE },
    homeUrl: { column: 'home_url', type: 'uri', ...NONE },
    requirePkce: { column: 'require_pkce', ...OFF },
    idTokenAlgorithm: {
      column: 'id_token_algorithm',
      type: 'choice',
      values: ID_TOKEN_ALGORITHMS,
      /** Clients expect this by default (OpenID Connect Core, section 3.1.3.7). */
      fallback: 'RS256',
    },
    idTokenClaims: { column: 'id_token_claims', type: 'switch', fallback: true },
    claims: { column: 'claims', type: 'claims', fallback: {} },
    allowHttp: { column: 'allow_http', ...OFF },
    requireVerifiedEmail: { column: 'require_verified_email', type: 'switch', fallback: true },
    refreshTokens: {
      column: 'refresh_tokens',
      type: 'choice',
      values: REFRESH_TOKENS,
      fallback: 'scope',
    },
    refreshTokenTtl: { column: 'refresh_token_ttl', type: 'duration', ...NONE },
    requirePar: { column: 'require_par', ...OFF },
    requireDpop: { column: 'require_dpop', ...OFF },
    access: { column: 'access', type: 'choice', values: ACCESS, fallback: provider.access },
    allowedGroups: { column: 'allowed_groups', type: 'groups', fallback: [] },
    requireMfa: { column: 'require_mfa', ...OFF },
  }

export type FieldName = keyof ClientSettings

export const FIELD_NAMES = Object.keys(CLIENT_FIELDS) as FieldName[]

/** Returns one value for each field. */
export function mapFields<Value>(valueOf: (name: FieldName, field: ClientField) => Value) {
  const pairs = FIELD_NAMES.map((name) => [name, valueOf(name, CLIENT_FIELDS[name])])
  return Object.fromEntries(pairs) as Record<FieldName, Value>
}

/** Contains no name, because every client is registered with one. */
export const DEFAULTS = defaults()

function defaults() {
  const { name, ...others } = mapFields((_, { fallback }) => fallback)
  return others as Omit<ClientSettings, 'name'>
}

/** The server makes an id or a secret that is missing. */
export type NewClient = Partial<ClientSettings> & {
  name: string
  clientId?: string
  clientSecret?: string
}

/** Returns true if the client is held to the FAPI 2.0 Security Profile. */
export function isFapi(client: Partial<ClientSettings>) {
  const { tokenEndpointAuthMethod: method, requirePar, requireDpop } = client
  return method === 'private_key_jwt' && requirePar === true && requireDpop === true
}

/** A client with a secret binds its code by the secret, so many libraries for it lack PKCE. */
export function withDefaults({ clientId, clientSecret, ...given }: NewClient): ClientSettings {
  const settings = { ...DEFAULTS, ...given }
  const requirePkce = isPublic(settings) || settings.tokenEndpointAuthMethod === 'private_key_jwt'
  const idTokenAlgorithm = isFapi(settings) ? 'ES256' : DEFAULTS.idTokenAlgorithm
  return { ...settings, requirePkce, idTokenAlgorithm, ...given }
}

/** The order of the members of an object does not matter, as in JSON. */
export function isSameValue(one: unknown, other: unknown) {
  return isDeepStrictEqual(one, other)
}

/** A field that is sent back unchanged is no change. */
export function changedFields(
  before: ClientSettings,
  given: Partial<ClientSettings>
): Partial<ClientSettings> {
  const names = FIELD_NAMES.filter(
    (name) => given[name] !== undefined && !isSameValue(before[name], given[name])
  )
  return Object.fromEntries(names.map((name) => [name, given[name]]))
}
