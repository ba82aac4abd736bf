import { replicaOrPrimary } from '#database/replica'
import { countMany } from './cached_counts.ts'
import { countMembers } from './membership.ts'
import { countByRole, type UserQuery } from './user_query.ts'
import { selectUsers, type UserFilter, type UserSelection } from './filter.ts'
import { whereNotLocked, type UserStatus } from './status.ts'

/** @param limit where counting may stop; a count that is kept anyway may exceed it */
export async function countUsers({ filter, now, query }: UserSelection, limit?: number) {
  const kept = await findKeptCount(filter)
  if (kept !== null) return kept
  if (limit) return countRows(query(), limit)
  if (isActiveOnly(filter)) return countActive(now, filter.role)
  return countMany(JSON.stringify(filter), (stopAt) => countRows(query(), stopAt))
}

/**
 * Counts for the list of the API, which callers request often.
 * @param limit where counting stops, unless the filter is only a role, a group or `active`
 */
export async function countListed({ filter, now, query }: UserSelection, limit: number) {
  const kept = await findKeptCount(filter)
  if (kept !== null) return kept
  if (isActiveOnly(filter)) return countActive(now, filter.role)
  const key = `${limit} ${JSON.stringify(filter)}`
  return countMany(key, (stopAt = limit) => countRows(query(), stopAt))
}

/** Triggers keep the number of users of each role, and of members of each group. */
async function findKeptCount(filter: UserFilter) {
  const given = namesOf(filter).join()
  if (given === 'group') return countMembers(filter.group!)
  return given === '' || given === 'role' ? countByRole(filter.role) : null
}

function isActiveOnly(filter: UserFilter) {
  const others = namesOf(filter).filter((name) => name !== 'role')
  return others.join() === 'status' && filter.status === 'active'
}

function namesOf(filter: UserFilter) {
  const names = Object.keys(filter) as (keyof UserFilter)[]
  return names.filter((name) => !isEmpty(filter[name]))
}

const isEmpty = (value: unknown) => value === undefined || value === ''

async function countRows(query: UserQuery, limit?: number) {
  const some = query.select('id')
  if (limit) some.limit(limit)
  const [row] = await replicaOrPrimary().from(some.as('some')).count('* as total')
  return Number(row.total)
}

/** Nearly all users are active, so counting the others is quicker. */
async function countActive(now: number, role?: string) {
  const countWith = async (status: UserStatus, where = (_: UserQuery): unknown => null) => {
    const { query } = await selectUsers({ status, role }, now)
    const users = query()
    where(users)
    return countRows(users)
  }
  const isNotDisabled = (users: UserQuery) => users.whereNull('disabled_at')
  const [all, disabled, locked, invited] = await Promise.all([
    countByRole(role),
    countWith('disabled'),
    countWith('locked', isNotDisabled),
    countWith('invited', (users) => isNotDisabled(whereNotLocked(users, now))),
  ])
  return all - disabled - locked - invited
}

export interface UserCounts {
  total: number
  locked: number
  disabled: number
  invited: number
}

export async function countByStatus(): Promise<UserCounts> {
  const countOf = async (status: 'locked' | 'disabled' | 'invited') => {
    const { query } = await selectUsers({ status })
    return countRows(query())
  }
  const [total, locked, disabled, invited] = await Promise.all([
    countByRole(),
    countOf('locked'),
    countOf('disabled'),
    countOf('invited'),
  ])
  return { total, locked, disabled, invited }
}
