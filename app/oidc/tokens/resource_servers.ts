import { createSecretKey } from 'node:crypto'
import { errors, type Client, type Context } from 'oidc-provider'
import limits from '#config/limits'
import settings from '#config/oidc'
import signingKeys from '#config/signing_keys'
import tokens from '#config/tokens'
import { issuer } from '#config/app'
import { Keyring } from '#auth/tokens/keyring'
import { API_SCOPES, IDENTITY_SCOPES } from '#oidc/clients/client'
import { isLoopback } from '#oidc/clients/redirect_uris'
import { apiKeys, identityKey } from './provider_keys.ts'
import { isOwnApi } from './own_resource.ts'
import type { OwnMetadata } from '#oidc/clients/metadata'

/*
 | The services that accept access tokens (RFC 8707). Without one a token is opaque and good
 | for `/oauth/userinfo` alone. For `APP_URL` it is an access token of our API: the same
 | algorithm and check, within the scopes that the client was given, for an audience that no
 | other service accepts. For any other service it is signed by the key of ID tokens, which
 | our API does not accept.
 */

const keyring = new Keyring(tokens.accessSecrets)

/** @throws invalid_target */
export async function getResourceServer(ctx: Context, resource: string, client: Client) {
  if ([ctx.oidc.params.resource].flat().length > limits.resources) throw new errors.InvalidTarget()
  const common = { accessTokenFormat: 'jwt', accessTokenTTL: settings.accessSeconds }
  if (isOwnApi(resource)) {
    const audience = signingKeys.clientAudience
    return { ...common, scope: apiScopes(client), audience, jwt: apiJwt() }
  }
  assertForeign(resource)
  const jwt = { sign: { alg: identityKey.alg } }
  return { ...common, scope: identityScopes(client).join(' '), audience: resource, jwt }
}

/** The scopes of the client that tell who the person is. */
export function identityScopes({ scope }: Client) {
  const own = scope.split(' ')
  return IDENTITY_SCOPES.filter((each) => own.includes(each))
}

/** All scopes of the client: each is one of the API, or opens the profile. */
function apiScopes(client: Client) {
  const { scopes }: OwnMetadata = client.gatehouse
  const ofApi = API_SCOPES.filter((scope) => scopes.includes(scope))
  return [...identityScopes(client), ...ofApi].join(' ')
}

interface AuthorizationRequest {
  scope?: string
  resource?: string | string[]
}

/**
 * What a client can get of the scopes that it asks for. Others are neither shown nor consented
 * to: a consent must not wait for the day on which a client may have more.
 */
export function grantableScopes(
  client: Client | undefined,
  { scope = '', resource = [] }: AuthorizationRequest
) {
  const identity: readonly string[] = IDENTITY_SCOPES
  const hasApi = client !== undefined && [resource].flat().some(isOwnApi)
  const grantable = hasApi ? apiScopes(client).split(' ') : identity
  return scope.split(' ').filter((each) => grantable.includes(each))
}

function apiJwt() {
  const { algorithm } = signingKeys
  if (algorithm === 'HS256') {
    const key = createSecretKey(Buffer.from(keyring.secret))
    return { sign: { alg: algorithm, key, kid: keyring.kid } }
  }
  return { sign: { alg: algorithm, kid: apiKeys[algorithm].kid } }
}

const RESERVED = new Set([signingKeys.audience, signingKeys.clientAudience, issuer])

/** Services that know our access tokens by `TOKEN_AUDIENCE` get those of our own sign-in alone. */
function assertForeign(resource: string) {
  if (resource.length > limits.resource) throw new errors.InvalidTarget()
  const url = new URL(resource)
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))
  if (!isSafe || RESERVED.has(resource)) throw new errors.InvalidTarget()
}

/** The resource of a request that names none: a service account acts on our API. */
export async function defaultResource(ctx: Context, _client: Client, granted?: string[]) {
  if (granted) return granted
  return ctx.oidc.params.grant_type === 'client_credentials' ? settings.issuer : undefined
}
