import { IDENTITY_SCOPES, type OAuthClient } from '#oidc/clients/client'
import type { Preset } from './preset.ts'
import { applicationUrlOf } from './registration.ts'
import { fill, type Values, nameFor } from './fill_template.ts'

/** Where users sign in, and what a button for it says. */
export interface Installation {
  issuer: string
  title: string
}

type Client = Pick<
  OAuthClient,
  'clientId' | 'redirectUris' | 'grantTypes' | 'scopes' | 'tokenEndpointAuthMethod'
>

interface Filling extends Installation {
  client: Client
  /** Null after it was shown: a name then replaces it. */
  secret: string | null
}

export function settingsToCopy(preset: Preset, filling: Filling) {
  const { redirectUris, grantTypes } = filling.client
  if (redirectUris.length === 0 || !grantTypes.includes('authorization_code')) return []
  const values = valuesOf(preset, filling)
  return preset.settings.map((snippet) => fill(snippet, values))
}

function valuesOf(preset: Preset, { client, secret, issuer, title }: Filling): Values {
  const [redirectUri] = client.redirectUris
  const scopes = scopesOf(client)
  return {
    title,
    clientId: client.clientId,
    clientSecret: secret ?? nameFor('clientSecret'),
    redirectUri,
    redirectUris: client.redirectUris,
    url: applicationUrlOf(preset, redirectUri),
    scheme: new URL(redirectUri).protocol.slice(0, -1),
    authWord: preset.authWords?.[client.tokenEndpointAuthMethod] ?? '',
    scopes: scopes.filter((scope) => scope !== 'offline_access').join(' '),
    allScopes: scopes.join(' '),
    scopeList: scopes,
    ...endpointsOf(issuer),
  }
}

export function endpointsOf(issuer: string) {
  return {
    issuer,
    discovery: `${issuer}/.well-known/openid-configuration`,
    authorizationEndpoint: `${issuer}/oauth/authorize`,
    tokenEndpoint: `${issuer}/oauth/token`,
    userinfoEndpoint: `${issuer}/oauth/userinfo`,
    jwksUri: `${issuer}/.well-known/jwks.json`,
    endSessionEndpoint: `${issuer}/oauth/logout`,
  }
}

/** Returns the scopes that the client may have, in the order of most documentation. */
export function scopesOf({ scopes }: Pick<OAuthClient, 'scopes'>) {
  return IDENTITY_SCOPES.filter((scope) => scopes.includes(scope))
}
