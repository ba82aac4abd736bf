import brand from '#config/brand'
import oidc from '#config/oidc'
import { IDENTITY_SCOPES, isPublic, type OAuthClient } from '#oidc/clients/client'
import { grafana, gitlab, native, nextcloud, oauth2Proxy, spa } from './applications.ts'
import { PRESETS, type Preset } from './presets.ts'

/* The names of the settings are those in the documentation of each application. */

export interface Values {
  /** The text of the sign-in button. */
  title: string
  issuer: string
  clientId: string
  secret: string
  redirectUri: string
  scope: string
  /** Whether it may ask for `offline_access`; a third party then also needs consent. */
  mayStay: boolean
  isSentInBody: boolean
  isFirstParty: boolean
}

export interface ApplicationSettings {
  id: Preset['id']
  name: string | null
  text: string
  /** Shown first: the address of the client fits this application. */
  isLikely: boolean
}

const WRITERS: Record<Preset['id'], (values: Values) => string> = {
  grafana,
  gitlab,
  nextcloud,
  oauth2_proxy: oauth2Proxy,
  spa,
  native,
}

/** A placeholder, because only a hash of the secret is stored. */
const NO_SECRET = 'CLIENT_SECRET'

/** Lists applications that can, or cannot, keep a secret, as the client can. */
export function settingsFor(client: OAuthClient, secret: string | null): ApplicationSettings[] {
  const [redirectUri] = client.redirectUris
  if (!redirectUri || !client.grantTypes.includes('authorization_code')) return []
  const values = valuesOf(client, { redirectUri, secret: secret ?? NO_SECRET })
  const suitable = PRESETS.filter((preset) => isForPublic(preset) === isPublic(client))
  const settings = suitable.map((preset) => ({
    id: preset.id,
    name: preset.name ?? null,
    text: WRITERS[preset.id](values),
    isLikely: isLikely(preset, redirectUri),
  }))
  return settings.toSorted((one, other) => Number(other.isLikely) - Number(one.isLikely))
}

/** The path names the application; for apps without a secret, a custom URI scheme does. */
function isLikely(preset: Preset, uri: string) {
  const [known, given] = [new URL(preset.redirectUri), new URL(uri)]
  if (isForPublic(preset)) return isOfWeb(known) === isOfWeb(given)
  return known.pathname === given.pathname
}

function isOfWeb({ protocol }: URL) {
  return protocol === 'https:' || protocol === 'http:'
}

function isForPublic({ settings }: Preset) {
  return settings.tokenEndpointAuthMethod === 'none'
}

function valuesOf(
  client: OAuthClient,
  { redirectUri, secret }: { redirectUri: string; secret: string }
): Values {
  return {
    title: brand.name,
    issuer: oidc.issuer,
    clientId: client.clientId,
    secret,
    redirectUri,
    scope: scopeFor(client),
    mayStay: client.scopes.includes('offline_access'),
    isFirstParty: client.kind === 'first_party',
    isSentInBody: client.tokenEndpointAuthMethod === 'client_secret_post',
  }
}

/** In the order of most documentations; scopes that the client may not have are left out. */
function scopeFor({ scopes }: OAuthClient) {
  return IDENTITY_SCOPES.filter(
    (scope) => scopes.includes(scope) && scope !== 'offline_access'
  ).join(' ')
}

export function plainValues(client: OAuthClient, secret: string | null) {
  const { issuer } = oidc
  return [
    { id: 'issuer', value: issuer },
    { id: 'discovery', value: `${issuer}/.well-known/openid-configuration` },
    { id: 'client_id', value: client.clientId },
    ...(secret ? [{ id: 'client_secret', value: secret }] : []),
    { id: 'scope', value: scopeFor(client) },
    { id: 'authorization_endpoint', value: `${issuer}/oauth/authorize` },
    { id: 'token_endpoint', value: `${issuer}/oauth/token` },
    { id: 'userinfo_endpoint', value: `${issuer}/oauth/userinfo` },
    { id: 'end_session_endpoint', value: `${issuer}/oauth/logout` },
  ]
}
