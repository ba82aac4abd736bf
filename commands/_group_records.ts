import type { Group } from '#groups/group'
import type { Column } from './_table.ts'

/** With two blanks between them, the columns fit into 80 characters. */
export const GROUP_COLUMNS: Column[] = [
  { name: 'name', title: 'Name', width: 38 },
  { name: 'title', title: 'Title', width: 28 },
  { name: 'memberCount', title: 'Members', width: 8 },
]

export function recordOf(group: Group): Record<string, unknown> {
  return { ...group }
}
