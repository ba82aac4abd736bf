import { parseUtcTime, utcFieldValue } from '#validators/utc_time'
import type { UserFilter } from '#users/list/filter'
import type { UserListQuery } from './user_list_query.ts'

const CRITERIA = [
  'search',
  'role',
  'kind',
  'status',
  'mfa',
  'verified',
  'provider',
  'group',
  'createdFrom',
  'lastLoginFrom',
  'inactive',
] as const

const DAY_MS = 86_400_000

export function criteriaOf(query: UserListQuery) {
  return Object.fromEntries(CRITERIA.map((name) => [name, query[name] ?? null]))
}

export function isFiltered(query: UserListQuery) {
  return CRITERIA.some((name) => query[name])
}

export function filterOf(query: UserListQuery): UserFilter {
  const { search, role, kind, status, mfa, verified, provider } = query
  const { group, createdFrom, lastLoginFrom, inactive } = query
  return {
    search: search ?? undefined,
    role: role ?? undefined,
    kind: kind ?? undefined,
    status: status ?? undefined,
    mfa: mfa ?? undefined,
    verified: verified ? verified === 'yes' : undefined,
    provider: provider ?? undefined,
    group: group ?? undefined,
    createdFrom: createdFrom ? parseUtcTime(createdFrom) : undefined,
    lastLoginFrom: lastLoginFrom ? parseUtcTime(lastLoginFrom) : undefined,
    inactiveSince: inactive ? Date.now() - inactive * DAY_MS : undefined,
  }
}

export function fieldsOf(query: UserListQuery) {
  const createdFrom = utcFieldValue(query.createdFrom)
  return { ...query, createdFrom, lastLoginFrom: utcFieldValue(query.lastLoginFrom) }
}
