import settings from '#config/external'
import limits from '#config/limits'

/** No group may have this name, so that the name counts as left out. */
const NO_NAME = ''

/**
 * Returns the groups that a provider claims for a user; some send a single name as a text.
 * @returns undefined for an absent claim or one of another shape, which changes no membership
 */
export function claimedGroupsOf(claim: unknown): string[] | undefined {
  const names = typeof claim === 'string' ? [claim] : claim
  if (!Array.isArray(names)) return undefined
  const texts = names.slice(0, limits.claimedGroups)
  return texts.map((name) => (typeof name === 'string' ? name : NO_NAME))
}

/** Returns whether the installation reads the groups of users from the provider. */
export function hasGroupsClaim(provider: string) {
  return settings.oidc.some(({ name, groupsClaim }) => name === provider && groupsClaim !== null)
}
