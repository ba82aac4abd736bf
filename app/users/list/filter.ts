import type { UserKind } from '#models/user'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { findSearch, type Search } from './search.ts'
import { whereStatus, type UserStatus } from './status.ts'
import { queryUsers, type UserQuery } from './user_query.ts'

/** Which users a list contains; criteria that are left out do not narrow it. */
export interface UserFilter {
  /** Part of an e-mail, username or nickname, in any case. */
  search?: string
  role?: string
  kind?: UserKind
  status?: UserStatus
  mfa?: 'yes' | 'no'
  verified?: boolean
  /** Name of an external provider, or `password` for users without one. */
  provider?: string
  /** Created then or later, in milliseconds since the epoch. */
  createdFrom?: number
  /** Signed in then or later. */
  lastLoginFrom?: number
  /** Without a sign-in since then, in milliseconds since the epoch. */
  inactiveSince?: number
}

/** The users who pass a filter at one point in time, for a page and its count alike. */
export interface UserSelection {
  filter: UserFilter
  /** A new query of these users; on the primary where the answer decides anything. */
  query(client?: QueryClientContract): UserQuery
}

/** Looks the text of the search up once, for every query of the selection. */
export async function selectUsers(filter: UserFilter): Promise<UserSelection> {
  const search = await findSearch(filter.search)
  const now = Date.now()
  return {
    filter,
    query: (client) => applyFilter(queryUsers(client), filter, { search, now }),
  }
}

/** Literals: a statement that is prepared with a parameter cannot use the index of services. */
const IS_OF_KIND: Record<UserKind, string> = {
  person: "kind = 'person'",
  service: "kind = 'service'",
}

function applyFilter(
  query: UserQuery,
  filter: UserFilter,
  { search, now }: { search: Search; now: number }
) {
  const { role, kind, status, mfa, verified, provider } = filter
  const { inactiveSince, createdFrom, lastLoginFrom } = filter
  search(query)
  if (role) query.where('role', role)
  if (kind) query.whereRaw(IS_OF_KIND[kind])
  if (status) whereStatus(query, status, now)
  if (mfa) query.where('mfa_enabled', mfa === 'yes')
  if (verified !== undefined) whereVerified(query, verified)
  if (provider) whereProvider(query, provider)
  if (inactiveSince !== undefined) whereInactive(query, inactiveSince)
  if (createdFrom !== undefined) query.where('created_at', '>=', createdFrom)
  if (lastLoginFrom !== undefined) whereActive(query, lastLoginFrom)
  return query
}

function whereVerified(query: UserQuery, isVerified: boolean) {
  return isVerified ? query.whereNotNull('email_verified_at') : query.whereNull('email_verified_at')
}

function whereProvider(query: UserQuery, provider: string) {
  return provider === 'password' ? query.whereNull('provider') : query.where('provider', provider)
}

/** By the expression that has an index. */
function whereActive(query: UserQuery, from: number) {
  query.whereRaw('COALESCE(last_login_at, 0) >= ?', [from])
}

/** A user who never signed in has been inactive since they were created. */
function whereInactive(query: UserQuery, since: number) {
  query
    .whereRaw('COALESCE(last_login_at, 0) < ?', [since])
    .where((old) => old.whereNotNull('last_login_at').orWhere('created_at', '<', since))
}
