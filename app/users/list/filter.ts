import type { UserKind } from '#models/user'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { findActiveSince, whereInactive } from './activity.ts'
import { findMembership } from './membership.ts'
import { findSearch, type Search } from './search.ts'
import { whereStatus, type UserStatus } from './status.ts'
import { queryUsers, type UserQuery } from './user_query.ts'

export interface UserFilter {
  search?: string
  role?: string
  kind?: UserKind
  status?: UserStatus
  mfa?: 'yes' | 'no'
  verified?: boolean
  /** An external provider, or `password` for users without one. */
  provider?: string
  /** This and the next two are milliseconds since the epoch. */
  createdFrom?: number
  lastLoginFrom?: number
  inactiveSince?: number
  /** The name of a group, in any capitals. */
  group?: string
}

/** A filter at one point in time, so that a page and its count agree. */
export interface UserSelection {
  filter: UserFilter
  /** The primary is needed where the answer decides anything. */
  query(client?: QueryClientContract): UserQuery
}

/** @throws E_VALIDATION_ERROR for an unknown group */
export async function selectUsers(filter: UserFilter): Promise<UserSelection> {
  const searches = [
    await findMembership(filter.group),
    await findSearch(filter.search),
    await findActiveSince(filter.lastLoginFrom),
  ]
  const now = Date.now()
  return {
    filter,
    query: (client) => applyFilter(queryUsers(client), filter, { searches, now }),
  }
}

/** Literals: a prepared parameter would keep the planner from the index of service accounts. */
const IS_OF_KIND: Record<UserKind, string> = {
  person: "kind = 'person'",
  service: "kind = 'service'",
}

function applyFilter(
  query: UserQuery,
  filter: UserFilter,
  { searches, now }: { searches: Search[]; now: number }
) {
  const { role, kind, status, mfa, verified, provider } = filter
  const { inactiveSince, createdFrom } = filter
  for (const search of searches) search(query)
  if (role) query.where('role', role)
  if (kind) query.whereRaw(IS_OF_KIND[kind])
  if (status) whereStatus(query, status, now)
  if (mfa) query.where('mfa_enabled', mfa === 'yes')
  if (verified !== undefined) whereVerified(query, verified)
  if (provider) whereProvider(query, provider)
  if (inactiveSince !== undefined) whereInactive(query, inactiveSince)
  if (createdFrom !== undefined) query.where('created_at', '>=', createdFrom)
  return query
}

function whereVerified(query: UserQuery, isVerified: boolean) {
  return isVerified ? query.whereNotNull('email_verified_at') : query.whereNull('email_verified_at')
}

function whereProvider(query: UserQuery, provider: string) {
  return provider === 'password' ? query.whereNull('provider') : query.where('provider', provider)
}
