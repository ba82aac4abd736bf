import { createSecretKey } from 'node:crypto'
import { errors, type Client, type Context } from 'oidc-provider'
import limits from '#config/limits'
import settings from '#config/oidc'
import signingKeys from '#config/signing_keys'
import tokens from '#config/tokens'
import { Keyring } from '#auth/tokens/keyring'
import { isOwnAudience } from '#oidc/clients/own_audiences'
import { scopesOfApi, scopesOfIdentity } from '#oidc/clients/scopes'
import { isLoopback } from '#oidc/clients/redirect_uris'
import { isOwnApi } from './own_resource.ts'
import type { OwnMetadata } from '#oidc/clients/metadata'

/*
 | Tokens for our API have their own audience. The keys of ID tokens sign tokens for other services,
 | so that our API does not accept them (RFC 8707).
 */

const keyring = new Keyring(tokens.accessSecrets)

export async function getResourceServer(ctx: Context, resource: string, client: Client) {
  if ([ctx.oidc.params.resource].flat().length > limits.resources) throw new errors.InvalidTarget()
  const common = { accessTokenFormat: 'jwt', accessTokenTTL: settings.accessSeconds }
  if (isOwnApi(resource)) {
    const audience = signingKeys.clientAudience
    return { ...common, scope: apiScopes(client).join(' '), audience, jwt: apiJwt() }
  }
  assertForeign(resource)
  const jwt = { sign: { alg: client.idTokenSignedResponseAlg } }
  return { ...common, scope: identityScopes(client).join(' '), audience: resource, jwt }
}

export function identityScopes({ gatehouse }: Client) {
  return scopesOfIdentity(gatehouse as OwnMetadata)
}

function apiScopes({ gatehouse }: Client) {
  return scopesOfApi(gatehouse as OwnMetadata)
}

interface AuthorizationRequest {
  scope?: string
  resource?: string | string[]
}

/** A scope that the client lacks is left out (RFC 6749, section 3.3). */
export function grantableScopes(
  client: Client | undefined,
  { scope = '', resource = [] }: AuthorizationRequest
) {
  if (!client) return []
  const hasApi = [resource].flat().some(isOwnApi)
  const grantable = hasApi ? apiScopes(client) : identityScopes(client)
  return scope.split(' ').filter((each) => grantable.includes(each))
}

function apiJwt() {
  const { algorithm } = signingKeys
  if (algorithm === 'HS256') {
    const key = createSecretKey(Buffer.from(keyring.secret))
    return { sign: { alg: algorithm, key, kid: keyring.kid } }
  }
  return { sign: { alg: algorithm } }
}

/** Services of `TOKEN_AUDIENCE` accept only tokens of our own sign-in. */
function assertForeign(resource: string) {
  if (resource.length > limits.resource) throw new errors.InvalidTarget()
  const url = new URL(resource)
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))
  if (!isSafe || isOwnAudience(resource)) throw new errors.InvalidTarget()
}

export async function defaultResource(ctx: Context, _client: Client, granted?: string[]) {
  if (granted) return granted
  return ctx.oidc.params.grant_type === 'client_credentials' ? settings.issuer : undefined
}
