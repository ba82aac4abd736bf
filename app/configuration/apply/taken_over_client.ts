import { isTrusted, type ClientSettings } from '#oidc/clients/client'
import { DEFAULTS, withDefaults } from '#oidc/clients/client_fields'

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

const RESTRICTIONS = ['requirePkce', 'requirePar', 'requireDpop', 'requireMfa'] as const

/** As the file would make it. What keeps users or requests out stays: an administrator may have set it. */
export function madeAnew(
  before: ClientSettings,
  clientId: string,
  given: Partial<ClientSettings>
): ClientSettings {
  const kept = RESTRICTIONS.filter((name) => before[name]).map((name) => [name, true])
  const settings = withDefaults({ name: clientId, ...Object.fromEntries(kept), ...given })
  const isOpened = before.access === 'groups' && settings.access !== 'groups'
  if (!isOpened || given.access !== undefined) return settings
  return { ...settings, access: 'groups', allowedGroups: before.allowedGroups, ...given }
}
