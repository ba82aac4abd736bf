import { invalidField } from '#exceptions/http_errors'
import User from '#models/user'
import { mayBeCalled } from '#network/outbound_hosts'
import { assertBackchannelUri } from './backchannel_uri.ts'
import { assertClaims } from './claims.ts'
import { hasApiScope, isPublic, type ClientSettings } from './client.ts'
import { isFapi } from './client_fields.ts'
import { assertPublicKeys } from './public_keys.ts'
import { assertRedirectUris, parseStrictly } from './redirect_uris.ts'
import type { Transaction } from '#database/transaction'

/* Rules across several fields of a client. The validators check each field on its own. */

/** @throws E_VALIDATION_ERROR */
export async function assertSettings(settings: ClientSettings, trx?: Transaction) {
  assertFields(settings)
  assertServiceAccount(settings, await hasServiceAccount(settings, trx))
}

/** Checks all fields but the service account, which may be made together with the client. */
export function assertFields(settings: ClientSettings) {
  assertRedirectUris(settings)
  assertBackchannelUri(settings)
  assertHomeUrl(settings)
  assertPkce(settings)
  assertHttp(settings)
  assertRefreshTokens(settings)
  assertKeys(settings)
  assertAlgorithm(settings)
  assertClaims(settings)
}

function assertHomeUrl({ homeUrl }: ClientSettings) {
  const protocol = homeUrl === null ? 'https:' : parseStrictly(homeUrl)?.protocol
  if (protocol === 'https:' || protocol === 'http:') return
  throw invalidField('homeUrl', 'url', 'The homeUrl field must be an https or http address')
}

/** Nothing else binds the code of a public client to the program that asked for it. */
function assertPkce(settings: ClientSettings) {
  if (settings.requirePkce || !isPublic(settings)) return
  throw invalidField('requirePkce', 'pkce', 'A client without a secret needs PKCE')
}

/** A token of the API that crosses a network without encryption gives away an account. */
function assertHttp(settings: ClientSettings) {
  if (!settings.allowHttp || !hasApiScope(settings)) return
  throw invalidField('allowHttp', 'apiScopes', 'A client with scopes of the API needs https')
}

function assertRefreshTokens({ refreshTokens, grantTypes }: ClientSettings) {
  if (refreshTokens === 'scope' || grantTypes.includes('refresh_token')) return
  const message = 'Refresh tokens need refresh_token among the grantTypes'
  throw invalidField('refreshTokens', 'refreshGrant', message)
}

function assertKeys(settings: ClientSettings) {
  const { tokenEndpointAuthMethod: method, jwks, jwksUri } = settings
  const field = jwksUri === null ? 'jwks' : 'jwksUri'
  if (method !== 'private_key_jwt') {
    if (jwks === null && jwksUri === null) return
    throw invalidField(field, 'keyMethod', 'Keys are for private_key_jwt alone')
  }
  if ((jwks === null) === (jwksUri === null)) {
    throw invalidField(field, 'keyOrAddress', 'private_key_jwt needs either jwks or jwksUri')
  }
  if (jwks) assertPublicKeys(jwks)
  const url = jwksUri === null ? null : parseStrictly(jwksUri)
  if (jwksUri === null || (url && mayBeCalled(url))) return
  const message =
    'The jwksUri field must be a public https address, or one within OUTBOUND_ALLOWED_NETWORKS'
  throw invalidField('jwksUri', 'https', message)
}

/** FAPI 2.0 Security Profile, section 5.4: RS256 is not among its algorithms. */
function assertAlgorithm(settings: ClientSettings) {
  if (!isFapi(settings) || settings.idTokenAlgorithm !== 'RS256') return
  const message = 'A client that is held to FAPI 2.0 needs ES256 or EdDSA'
  throw invalidField('idTokenAlgorithm', 'fapi', message)
}

async function hasServiceAccount({ serviceAccountId: id }: ClientSettings, trx?: Transaction) {
  const user = id === null ? null : await User.find(id, { client: trx })
  return Boolean(user?.isService)
}

/** `client_credentials` acts for a service account and never for another user. */
export function assertServiceAccount(settings: ClientSettings, isService: boolean) {
  const acts = settings.grantTypes.includes('client_credentials')
  if (!acts && settings.serviceAccountId === null) return
  if (!isService || !acts || isPublic(settings)) {
    const message =
      'client_credentials needs a client with a secret and, in serviceAccountId, a service account'
    throw invalidField('serviceAccountId', 'serviceAccount', message)
  }
}
