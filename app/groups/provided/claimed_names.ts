import { canonicalGroupName } from '../group_name.ts'

/*
 | A hostile provider may claim 1,000 texts that take long to normalize. Each is normalized only one
 | time, before any comparison.
 */

/** @returns one name for each claimed one, in their order; null for one that no group may have */
export function claimedNamesOf(provider: string, groups: string[]) {
  return groups.map((name) => nameOf(provider, name))
}

/** The rule applies to the claimed name, and to the whole name with its prefix. */
function nameOf(provider: string, name: string) {
  return canonicalGroupName(name) && canonicalGroupName(`${provider}:${name}`)
}
