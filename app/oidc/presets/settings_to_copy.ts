import { IDENTITY_SCOPES, type OAuthClient } from '#oidc/clients/client'
import type { Preset, Snippet } from './preset.ts'
import { quote } from './quoting.ts'
import { applicationUrlOf } from './registration.ts'

type Value = string | string[]
type Values = Record<string, Value>

export interface CopiedText extends Pick<Snippet, 'file' | 'place' | 'format'> {
  text: string | null
  fields: { label: string; value: string }[]
  /** Values that this format cannot hold; their names stand in the text instead. */
  missing: string[]
}

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
  /** Null once it was shown: a name then stands for it. */
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

/** In the order of most documentations; scopes that the client may not have are left out. */
export function scopesOf({ scopes }: Pick<OAuthClient, 'scopes'>) {
  return IDENTITY_SCOPES.filter((scope) => scopes.includes(scope))
}

/** `clientSecret` is shown as CLIENT_SECRET. */
function nameFor(value: string) {
  return value.replaceAll(/[A-Z]/g, '_$&').toUpperCase()
}

function fill({ text, fields = {}, ...snippet }: Snippet, values: Values): CopiedText {
  const missing = new Set<string>()
  const filled = (template: string) =>
    template.replaceAll(/@(\w+)@/g, (_, name: string) => {
      const quoted = quoteAll(values[name], snippet)
      if (quoted === null) missing.add(nameFor(name))
      return quoted ?? quote(nameFor(name), snippet.format)!
    })
  const { file, place, format } = snippet
  const shown = Object.entries(fields).map(([label, value]) => ({ label, value: filled(value) }))
  const whole = text === undefined ? null : filled(text).trimEnd()
  return { file, place, format, text: whole, fields: shown, missing: [...missing] }
}

function quoteAll(value: Value, { format, cannotHold }: Omit<Snippet, 'text' | 'fields'>) {
  const quoted = [value].flat().map((each) => quote(each, format, cannotHold))
  return quoted.includes(null) ? null : quoted.join(', ')
}
