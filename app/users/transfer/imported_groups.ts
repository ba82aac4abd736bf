import type { ForeignRow } from './exported_hashes.ts'

/** A group of a row, and what the file calls it. */
export interface ImportedGroup {
  name: string
  origin: string
}

/** @param given names, or their JSON in a cell, or a cell with one name */
export function groupsOf(given: unknown): ImportedGroup[] {
  if (given === undefined || given === null || given === '') return []
  const list: unknown[] = typeof given === 'string' ? namesIn(given) : (given as unknown[])
  return list.map(toGroup)
}

function namesIn(cell: string) {
  return cell.startsWith('[') ? JSON.parse(cell) : [cell]
}

function toGroup(given: unknown): ImportedGroup {
  if (typeof given === 'string') return { name: given, origin: given }
  const { name, origin } = given as ImportedGroup
  if (typeof name !== 'string') throw new TypeError('a group has no name')
  return { name, origin }
}

/** Roles that every user of a realm has. */
const DEFAULT_ROLE = /^(default-roles-.*|offline_access|uma_authorization)$/

/** Names groups by their path, where `~/` is a slash in a name, and realm roles by their name. */
export function keycloakGroups({ groups, realmRoles }: ForeignRow): ImportedGroup[] {
  const ofPaths = (groups ?? []).map((path: string) => {
    const name = path.replace(/^\//, '').replaceAll('~/', '/')
    return { name, origin: `the group ${path}` }
  })
  const roles = (realmRoles ?? []).filter((role: string) => !DEFAULT_ROLE.test(role))
  return [...ofPaths, ...roles.map((role: string) => ({ name: role, origin: `the role ${role}` }))]
}
