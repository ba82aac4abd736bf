import { createSecretKey, randomUUID } from 'node:crypto'
import { errors, type Client, type Context } from 'oidc-provider'
import settings from '#config/oidc'
import signingKeys from '#config/signing_keys'
import tokens from '#config/tokens'
import { issuer } from '#config/app'
import { Keyring } from '#auth/tokens/keyring'
import { signingKid } from '#auth/signing_keys/jws_signer'
import { API_SCOPES, IDENTITY_SCOPES } from './clients/client.ts'
import { isLoopback } from './clients/redirect_uris.ts'
import { apiKeys, identityKey } from './library_key.ts'
import { serviceSubject } from './service_sessions.ts'
import type { OwnMetadata } from './clients/metadata.ts'

/*
 | The services that accept access tokens (RFC 8707). Without one a token is opaque and good
 | for `/oauth/userinfo` alone. For `APP_URL` it is an access token of our API: the same
 | algorithm, claims and check, within the scopes that the client was given. For any other
 | service it is signed by the key of ID tokens, which our API does not accept.
 */

const keyring = new Keyring(tokens.accessSecrets)

/** `iss` and `aud` of access tokens of the API, as `app/auth/tokens/access_tokens.ts` has them. */
function apiParties() {
  if (signingKeys.algorithm === 'HS256') return { iss: issuer, aud: issuer }
  return { iss: signingKeys.issuer, aud: signingKeys.audience }
}

function isApi(resource: string) {
  return resource.replace(/\/$/, '') === settings.issuer.replace(/\/$/, '')
}

/** @throws invalid_target */
export async function getResourceServer(_ctx: Context, resource: string, client: Client) {
  const common = { accessTokenFormat: 'jwt', accessTokenTTL: settings.accessSeconds }
  if (isApi(resource)) {
    return { ...common, scope: apiScopes(client), audience: apiParties().aud, jwt: await apiJwt() }
  }
  assertForeign(resource)
  const kid = await signingKid('identity')
  identityKey.kid = kid
  const sign = { alg: 'ES256', kid }
  return { ...common, scope: IDENTITY_SCOPES.join(' '), audience: resource, jwt: { sign } }
}

/** What was registered for the client, and what tells who the person is. */
function apiScopes(client: Client) {
  const { scopes }: OwnMetadata = client.gatehouse
  const ofApi = API_SCOPES.filter((scope) => scopes.includes(scope))
  return [...IDENTITY_SCOPES, ...ofApi].join(' ')
}

interface Asked {
  scope?: string
  resource?: string | string[]
}

/**
 * What a client can get of the scopes that it asks for. Others are neither shown nor consented
 * to: a consent must not wait for the day on which a client may have more.
 */
export function grantableScopes(client: Client | undefined, { scope = '', resource = [] }: Asked) {
  const identity: readonly string[] = IDENTITY_SCOPES
  const hasApi = client !== undefined && [resource].flat().some(isApi)
  const grantable = hasApi ? apiScopes(client).split(' ') : identity
  return scope.split(' ').filter((each) => grantable.includes(each))
}

async function apiJwt() {
  const { algorithm } = signingKeys
  if (algorithm === 'HS256') {
    const key = createSecretKey(Buffer.from(keyring.secret))
    return { sign: { alg: algorithm, key, kid: keyring.kid } }
  }
  const kid = await signingKid('access')
  apiKeys[algorithm].kid = kid
  return { sign: { alg: algorithm, kid } }
}

/** Services that know our access tokens by `TOKEN_AUDIENCE` get those of our own sign-in alone. */
function assertForeign(resource: string) {
  const url = new URL(resource)
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))
  const isReserved = resource === signingKeys.audience || resource === issuer
  if (!isSafe || isReserved) throw new errors.InvalidTarget()
}

/** The resource of a request that names none: a service account acts on our API. */
export async function defaultResource(ctx: Context, _client: Client, granted?: string[]) {
  if (granted) return granted
  return ctx.oidc.params.grant_type === 'client_credentials' ? settings.issuer : undefined
}

interface Token {
  kind: string
  grantId?: string
  client: Client
  aud: string
}

interface Jwt {
  payload: Record<string, any>
}

/**
 * The claims of a token: `jti` names its session, so that it is refused once that ends. For our
 * API the others are those of its own tokens too.
 */
export async function customizeJwt(ctx: Context, token: Token, jwt: Jwt) {
  const isService = token.kind === 'ClientCredentials'
  const { user, sessionId } = isService
    ? await serviceSubject(ctx, token.client)
    : { user: ctx.oidc.entities.Account.user, sessionId: token.grantId! }
  const { payload } = jwt
  payload.sub = user.id
  payload.jti = `${sessionId}.${randomUUID()}`
  if (token.aud !== apiParties().aud) return
  Object.assign(payload, { ...apiParties(), email: user.mailbox, role: user.role })
}
