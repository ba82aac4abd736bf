import { canonicalGroupName } from '../group_name.ts'

/*
 | A hostile provider may claim 1,000 texts that are long to normalize: each is read once, before
 | anything is compared with it.
 */

/** @returns one name for each claimed one, in their order; null for one that no group may have */
export function claimedNamesOf(provider: string, groups: string[]) {
  const names = groups.map((name) => nameOf(provider, name))
  const lower = new Set(names.flatMap((name) => name?.toLowerCase() ?? []))
  /** `ſtaff` is the key of `staff`, but a user who may name groups there is not in it. */
  const has = (name: string) => lower.has(name.toLowerCase())
  return { names, has }
}

/** The rule holds for what the provider says, and for the whole. */
function nameOf(provider: string, name: string) {
  return canonicalGroupName(name) && canonicalGroupName(`${provider}:${name}`)
}
