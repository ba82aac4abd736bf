import type { UserKind } from '#models/user'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { whereActive, whereInactive } from './activity.ts'
import { narrowed, type Condition } from './few.ts'
import { findMembership } from './membership.ts'
import { findSearch } from './search.ts'
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
  const conditions = [await findMembership(filter.group), await findSearch(filter.search)]
  const now = Date.now()
  for (const rare of rareConditions(filter, now)) conditions.push(await narrowed(rare))
  conditions.push(...usualConditions(filter, now))
  return {
    filter,
    query: (client) => {
      const query = queryUsers(client)
      for (const condition of conditions) condition(query)
      return query
    },
  }
}

/** Literals: a prepared parameter would keep the planner from the index of service accounts. */
const IS_OF_KIND: Record<UserKind, string> = {
  person: "kind = 'person'",
  service: "kind = 'service'",
}

/** Few users may meet them, and an index finds who does. */
function rareConditions(filter: UserFilter, now: number): Condition[] {
  const { status, kind, verified, provider, createdFrom, lastLoginFrom } = filter
  const conditions: Condition[] = []
  if (status && status !== 'active') conditions.push((query) => whereStatus(query, status, now))
  if (kind === 'service') conditions.push((query) => query.whereRaw(IS_OF_KIND.service))
  if (verified === false) conditions.push((query) => query.whereNull('email_verified_at'))
  if (provider) conditions.push((query) => whereProvider(query, provider))
  if (createdFrom !== undefined)
    conditions.push((query) => query.where('created_at', '>=', createdFrom))
  if (lastLoginFrom !== undefined) conditions.push((query) => whereActive(query, lastLoginFrom))
  return conditions
}

/** Most users meet them, or an index of their own has the order of the page. */
function usualConditions(filter: UserFilter, now: number) {
  const { role, kind, status, mfa, verified, inactiveSince } = filter
  const conditions: Condition[] = []
  if (role) conditions.push((query) => query.where('role', role))
  if (kind === 'person') conditions.push((query) => query.whereRaw(IS_OF_KIND.person))
  if (status === 'active') conditions.push((query) => whereStatus(query, status, now))
  if (mfa) conditions.push((query) => query.where('mfa_enabled', mfa === 'yes'))
  if (verified) conditions.push((query) => query.whereNotNull('email_verified_at'))
  if (inactiveSince !== undefined) conditions.push((query) => whereInactive(query, inactiveSince))
  return conditions
}

/** The index covers this expression. */
function whereProvider(query: UserQuery, provider: string) {
  return query.whereRaw(`COALESCE(provider, '') = ?`, [provider === 'password' ? '' : provider])
}
