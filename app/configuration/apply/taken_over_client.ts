import { isTrusted, type ClientSettings } from '#oidc/clients/client'
import { DEFAULTS, withDefaults } from '#oidc/clients/client_fields'
import { addedRestrictions } from '#oidc/clients/restrictions'

/*
 | A leaked key may have registered the client, and so chosen what the file does not name.
 */

/** A file that names one of these expects that it makes the client. */
const AUTHENTICATION = ['clientSecret', 'tokenEndpointAuthMethod', 'jwks', 'jwksUri']

export function givesAuthentication(named: string[]) {
  return named.some((field) => AUTHENTICATION.includes(field))
}

export function becomesTrusted(before: ClientSettings, after: ClientSettings) {
  return isTrusted(after) && !isTrusted(before)
}

/** Where the tokens and the users of a client go, and who acts for it. */
const ADDRESSES = [
  'redirectUris',
  'postLogoutRedirectUris',
  'jwks',
  'jwksUri',
  'backchannelLogoutUri',
  'homeUrl',
] as const

/** Of a client that a file managed already, whose other fields an administrator may have set. */
export function withResetAddresses(given: Partial<ClientSettings>): Partial<ClientSettings> {
  const defaults = ADDRESSES.map((name) => [name, DEFAULTS[name]])
  return { ...(Object.fromEntries(defaults) as Partial<ClientSettings>), ...given }
}

/** As the file would make it. What keeps users or requests out stays: an administrator may have set it. */
export function settingsAsNew(
  before: ClientSettings,
  clientId: string,
  given: Partial<ClientSettings>
): ClientSettings {
  const { allowedGroups } = before
  const lost = addedRestrictions(withDefaults({ name: clientId, ...given }), before)
  const kept = lost.filter((field) => given[field] === undefined)
  const restrictions = Object.fromEntries(kept.map((field) => [field, before[field]]))
  const pkce = before.requirePkce ? { requirePkce: true } : {}
  const settings = withDefaults({ name: clientId, ...pkce, ...restrictions, ...given })
  // A file that closes the client itself says which groups open it.
  return kept.includes('access') ? { ...settings, allowedGroups, ...given } : settings
}

export const UNNAMED_GROUPS =
  'Groups that no file gave may use this client: name those that still may, or []'

export function losesGroups(before: ClientSettings, after: ClientSettings) {
  const isStillClosed = before.access === 'groups' && after.access === 'groups'
  return isStillClosed && before.allowedGroups.length > 0 && after.allowedGroups.length === 0
}
