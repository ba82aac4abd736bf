import { isTrusted, type ClientSettings } from '#oidc/clients/client'
import { DEFAULTS, withDefaults } from '#oidc/clients/client_fields'
import { addedRestrictions } from '#oidc/clients/restrictions'

/*
 | A leaked key may have registered the client and chosen the settings that the file does not name.
 */

/** A file that names one of these fields expects to make the client. */
const AUTHENTICATION = ['clientSecret', 'tokenEndpointAuthMethod', 'jwks', 'jwksUri']

export function givesAuthentication(named: string[]) {
  return named.some((field) => AUTHENTICATION.includes(field))
}

export function becomesTrusted(before: ClientSettings, after: ClientSettings) {
  return isTrusted(after) && !isTrusted(before)
}

/** Fields that decide where tokens and users of a client go, and who acts for the client. */
const ADDRESSES = [
  'redirectUris',
  'postLogoutRedirectUris',
  'jwks',
  'jwksUri',
  'backchannelLogoutUri',
  'homeUrl',
] as const

/** For a client that a file managed already: an administrator may have set its other fields. */
export function withResetAddresses(given: Partial<ClientSettings>): Partial<ClientSettings> {
  const defaults = ADDRESSES.map((name) => [name, DEFAULTS[name]])
  return { ...(Object.fromEntries(defaults) as Partial<ClientSettings>), ...given }
}

/** Returns settings as for a new client, with restrictions that an administrator may have set. */
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
