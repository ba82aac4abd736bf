import brand from '#config/brand'
import oidc from '#config/oidc'
import { IDENTITY_SCOPES, isPublic, type OAuthClient } from '#oidc/clients/client'
import { grafana, gitlab, native, nextcloud, oauth2Proxy, spa } from './applications.ts'
import { PRESETS, type Preset } from './presets.ts'

/*
 | The settings of applications, to copy: each with the values of one client. The names of the
 | settings are those of the applications' own documentation.
 */

/** What the settings of an application are filled in with. */
export interface Values {
  /** What its sign-in button says. */
  title: string
  issuer: string
  clientId: string
  secret: string
  redirectUri: string
  scope: string
  /** Whether it may ask for `offline_access`; a third party then has to ask for consent, too. */
  mayStay: boolean
  isSentInBody: boolean
  isFirstParty: boolean
}

/** The settings of one application, by the id of its preset. */
export interface ApplicationSettings {
  id: Preset['id']
  name: string | null
  text: string
  /** The first to be shown: the client's address is one of this application. */
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

/** Stands for the secret, which nobody can read again. */
const NO_SECRET = 'CLIENT_SECRET'

/** For a client that signs people in: settings of applications that can, or cannot, keep a secret. */
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

/** The path names the application; of those without a secret, a scheme of its own is an app's. */
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

/** In the order of the documentation of most applications; what the client may not have is left out. */
function scopeFor({ scopes }: OAuthClient) {
  return IDENTITY_SCOPES.filter(
    (scope) => scopes.includes(scope) && scope !== 'offline_access'
  ).join(' ')
}

/** The values that any application asks for, under the names of the standard. */
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
