import { isPublic, type OAuthClient } from '#oidc/clients/client'
import { readPresets, type Preset } from './preset.ts'

/** Returns the presets that fit an address of the client, first those that its name contains. */
export async function likelyPresets(client: OAuthClient): Promise<Preset[]> {
  const all = await readPresets()
  const suitable = all.filter(({ auth }) => (auth === 'none') === isPublic(client))
  const named = suitable.filter((preset) => isNamed(preset, client) && fits(preset, client))
  const others = suitable.filter(
    (preset) => !named.includes(preset) && !isVague(preset) && fits(preset, client)
  )
  return [...named, ...others]
}

/** A redirect address that is only the application's address does not identify it. */
function isVague({ redirectUris: [template] }: Preset) {
  return /^@url@\/?$/.test(template)
}

function fits({ redirectUris: [template] }: Preset, { redirectUris }: OAuthClient) {
  if (isOfWeb(template)) return redirectUris.includes(template)
  const path = template.replace('@url@', '')
  if (path !== template) return redirectUris.some((uri) => isOfWeb(uri) && uri.endsWith(path))
  return redirectUris.some((uri) => !isOfWeb(uri))
}

function isOfWeb(uri: string) {
  return /^https?:/.test(uri)
}

/** “Grafana of the lab” contains the name of Grafana. */
function isNamed({ name }: Preset, client: OAuthClient) {
  const [word] = name.toLowerCase().split(/[^a-z.-]/)
  return client.name.toLowerCase().includes(word)
}
