import type { UserKind } from '#models/user'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { conditionsOf } from './conditions.ts'
import { findIdsOfFew } from './few.ts'
import { findMembership } from './membership.ts'
import type { UserOrder } from './order.ts'
import { findSearch } from './search.ts'
import type { UserStatus } from './status.ts'
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
  /** The name of a group; its case does not matter. */
  group?: string
}

/** A filter at one point in time, so that a page and its count agree. */
export interface UserSelection {
  filter: UserFilter
  /** That point in milliseconds since the epoch, because a lock may end at any moment. */
  now: number
  /**
   * Callers pass the primary as `client` where the answer decides anything.
   * @param order the order of the page, if it has one
   */
  query(how?: { client?: QueryClientContract; order?: UserOrder }): UserQuery
}

/** @throws E_VALIDATION_ERROR for an unknown group */
export async function selectUsers(filter: UserFilter, now = Date.now()): Promise<UserSelection> {
  const searches = [await findMembership(filter.group), await findSearch(filter.search)]
  const conditions = conditionsOf(filter, now)
  const few = await findIdsOfFew(conditions)
  const isNarrow = few !== null || filter.group !== undefined || Boolean(filter.search)
  const query: UserSelection['query'] = ({ client, order } = {}) => {
    const users = queryUsers(client)
    for (const search of searches) search(users)
    if (few) users.whereIn('id', few)
    for (const { where, walk = where, orders } of conditions) {
      const isWalked = isNarrow || (order !== undefined && !orders?.includes(order))
      const apply = isWalked ? walk : where
      apply(users)
    }
    return users
  }
  return { filter, now, query }
}
