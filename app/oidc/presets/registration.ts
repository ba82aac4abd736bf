import limits from '#config/limits'
import { invalidField } from '#exceptions/http_errors'
import type { ClientKind, ClientSettings } from '#oidc/clients/client'
import type { NewClient } from '#oidc/clients/client_fields'
import { findPreset, readPresets, type Preset } from './preset.ts'

const URL_OF_APPLICATION = '@url@'

/** What the API and the commands take. */
type RequestedSettings = Partial<NewClient> & { preset?: string; url?: string }

/**
 * Merges the registration of the preset with the given settings, which take precedence.
 *
 * @throws a refusal on `preset`, on `url` if the redirect address depends on it, or on `name`
 */
export async function withPreset({ preset: id, url, ...given }: RequestedSettings) {
  const preset = id === undefined ? null : await findPreset(id)
  if (id !== undefined && !preset) throw await unknownPreset()
  if (preset?.url && !url && !given.redirectUris) {
    throw invalidField('url', 'required', `Where is ${preset.name}? For example ${preset.url}`)
  }
  const { name, ...settings } = { ...(preset && registrationOf(preset, url)), ...given }
  if (!name) throw invalidField('name', 'required', 'The name field must be defined')
  return { preset, settings: { ...settings, name } }
}

async function unknownPreset() {
  const presets = await readPresets()
  const ids = presets.map(({ id }) => id)
  const message = `This preset is not known. Known are ${ids.join(', ')}`
  return invalidField('preset', 'enum', message)
}

/**
 * Returns the registration of an application at this address. Without one, its redirect address is
 * an example. Settings that would send data to that example are left out.
 */
export function registrationOf(preset: Preset, url?: string) {
  const isKnown = url !== undefined || !preset.url
  const address = preset.url ? addressOf(url ?? preset.url) : ''
  const at = (template: string) => template.replace(URL_OF_APPLICATION, () => address)
  const { postLogoutRedirectUris = [], backchannelLogoutUri = null } = isKnown ? preset : {}
  return {
    ...(preset.group !== 'frameworks' && { name: preset.name }),
    kind: 'first_party' as ClientKind,
    redirectUris: preset.redirectUris.map(at),
    postLogoutRedirectUris: postLogoutRedirectUris.map(at),
    backchannelLogoutUri: backchannelLogoutUri && at(backchannelLogoutUri),
    homeUrl: isKnown && address ? address : null,
    tokenEndpointAuthMethod: preset.auth,
    requirePkce: preset.pkce !== 'none',
    idTokenAlgorithm: preset.algorithm,
    scopes: preset.scopes,
    ...preset.client,
  } satisfies Partial<ClientSettings>
}

/** Removes a final slash, the query and the fragment, which browsers' address bars may show. */
function addressOf(given: string) {
  const url = given.length <= limits.clientUri ? URL.parse(given.trim()) : null
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw invalidField('url', 'url', 'The address must begin with https:// or http://')
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

/** @returns the address of the application, derived from where it takes its code */
export function applicationUrlOf(preset: Preset, redirectUri: string) {
  const path = preset.redirectUris[0].replace(URL_OF_APPLICATION, '')
  if (redirectUri.endsWith(path)) return redirectUri.slice(0, redirectUri.length - path.length)
  return new URL(redirectUri).origin
}
