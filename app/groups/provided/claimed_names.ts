import { canonicalGroupName } from '../group_name.ts'

/*
 | A hostile provider may claim 1,000 texts that are long to normalize: each is read once, before
 | anything is compared with it.
 */

/** @returns one name for each claimed one, in their order; null for one that no group may have */
export function claimedNamesOf(provider: string, groups: string[]) {
  return groups.map((name) => nameOf(provider, name))
}

/** The rule holds for what the provider says, and for the whole. */
function nameOf(provider: string, name: string) {
  return canonicalGroupName(name) && canonicalGroupName(`${provider}:${name}`)
}
