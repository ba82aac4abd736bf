import { canonicalGroupName, groupKey, isProviderName } from '#groups/group_name'
import type { ExportedEntry } from '#configuration/export/export'

/** Returns null for a name that no file can make: providers make groups with a colon themselves. */
export function importableName(given: string) {
  return isProviderName(given) ? null : canonicalGroupName(given)
}

/** Writes names that no group may have as comments. */
export function importGroups(names: string[]): ExportedEntry[] {
  const known = new Set<string>()
  return names.flatMap((given): ExportedEntry[] => {
    const name = importableName(given)
    if (name === null)
      return [{ fields: { name: given }, comment: 'no group may have this name', isLeftOut: true }]
    const key = groupKey(name)
    if (known.has(key)) return []
    known.add(key)
    return [{ fields: { name } }]
  })
}
