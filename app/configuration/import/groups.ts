import { canonicalGroupName, groupKey, isProviderName } from '#groups/group_name'
import type { ExportedEntry } from '#configuration/export/export'

/** Names with a colon belong to providers, which make their groups themselves. */
export function isImportable(name: string) {
  return canonicalGroupName(name) !== null && !isProviderName(name)
}

/** Names that no group may have are comments. */
export function importGroups(names: string[]): ExportedEntry[] {
  const known = new Set<string>()
  return names.flatMap((given): ExportedEntry[] => {
    if (!isImportable(given))
      return [{ fields: { name: given }, comment: 'no group may have this name', isLeftOut: true }]
    const name = canonicalGroupName(given)!
    const key = groupKey(name)
    if (known.has(key)) return []
    known.add(key)
    return [{ fields: { name } }]
  })
}
