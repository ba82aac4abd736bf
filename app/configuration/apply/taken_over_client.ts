import { isTrusted, type ClientSettings } from '#oidc/clients/client'
import { DEFAULTS, withDefaults } from '#oidc/clients/client_fields'
import { addedRestrictions } from '#oidc/clients/restrictions'

/*
 | A leaked key may have registered the client, and so chosen what a file that trusts it does not name.
 */

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
export function madeAnew(
  before: ClientSettings,
  clientId: string,
  given: Partial<ClientSettings>
): ClientSettings {
  const lost = addedRestrictions(withDefaults({ name: clientId, ...given }), before)
  const kept = lost.filter((field) => given[field] === undefined)
  const restrictions = Object.fromEntries(kept.map((field) => [field, before[field]]))
  const pkce = before.requirePkce ? { requirePkce: true } : {}
  const settings = withDefaults({ name: clientId, ...pkce, ...restrictions, ...given })
  const isStillClosed = before.access === 'groups' && settings.access === 'groups'
  if (!isStillClosed || given.allowedGroups) return settings
  return { ...settings, allowedGroups: before.allowedGroups }
}
