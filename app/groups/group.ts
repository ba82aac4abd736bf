/** A group as the API, commands and the console show it. */
export interface Group {
  id: string
  /** The name as it was written. It is unique without regard to case. */
  name: string
  title: string | null
  description: string | null
  memberCount: number
}

export interface GroupRow {
  id: string
  name: string
  name_key: string
  title: string | null
  description: string | null
  member_count: number
}

export function toGroup({ id, name, title, description, member_count }: GroupRow): Group {
  return { id, name, title, description, memberCount: Number(member_count) }
}

/** Returns details for events, which keep the name that the group had. */
export function detailsOf({ id, name }: Pick<Group, 'id' | 'name'>) {
  return { groupId: id, group: name }
}
