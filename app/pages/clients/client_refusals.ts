import type { I18n } from '@adonisjs/i18n'
import { hostOf } from '#oidc/clients/redirect_uris'
import { listRefusals } from '#oidc/refusals/list_refusals'
import { describeRefusal } from '#oidc/refusals/reasons'
import type { ClientSettings, OAuthClient } from '#oidc/clients/client'

const SHOWN = 5

/** No received value is filled in: an administrator types the address or scope. */
export async function refusalsFor(i18n: I18n, client: OAuthClient) {
  const lines = await listRefusals(client)
  return lines.map((line) => {
    const { remedy, setting, allows } = describeRefusal(line.reason, client, i18n)
    const isAllowed = setting !== null && client[setting] === allows
    const button = allows !== undefined && !isAllowed ? setting : null
    const field = allows === undefined && setting ? anchorOf(setting) : null
    const userId = line.reason === 'email_unverified' ? line.sent : null
    return { ...line, remedy, button, field, userId, registered: registeredIn(client, setting) }
  })
}

/** The id of the field in the form; lists are groups of boxes. */
function anchorOf(setting: keyof ClientSettings) {
  const isGroup = setting === 'scopes' || setting === 'grantTypes'
  return `${isGroup ? 'choices' : 'field'}-${setting}`
}

/** Returns the registered value, which is shown beside the received one. */
function registeredIn(client: OAuthClient, setting: keyof ClientSettings | null) {
  switch (setting) {
    case 'redirectUris':
    case 'postLogoutRedirectUris':
      return listOf(client[setting].map(hostOf))
    case 'scopes':
    case 'grantTypes':
      return listOf(client[setting])
    case 'tokenEndpointAuthMethod':
      return client.tokenEndpointAuthMethod
    default:
      return null
  }
}

function listOf(values: string[]) {
  const all = [...new Set(values)]
  const shown = all.slice(0, SHOWN).join(', ')
  return all.length > SHOWN ? `${shown} …` : shown || '–'
}
