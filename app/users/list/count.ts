import { LRUCache } from 'lru-cache'
import { replicaOrPrimary } from '#database/replica'
import { countMembers } from './membership.ts'
import { countByRole, queryUsers, type UserQuery } from './user_query.ts'
import { selectUsers, type UserSelection } from './filter.ts'
import { whereNotLocked, whereStatus, type UserStatus } from './status.ts'

/** @param limit where counting may stop; the count exceeds it where that costs nothing */
export async function countUsers({ filter, query }: UserSelection, limit?: number) {
  const { role, status, ...others } = filter
  const given = Object.keys(others).filter((name) => !isEmpty(others[name as keyof typeof others]))
  const isByRole = given.length === 0
  if (given.join() === 'group' && !role && !status) return countMembers(others.group!)
  if (isByRole && !status) return countByRole(role)
  if (limit) return countRows(query(), limit)
  if (isByRole && status === 'active') return countActive(role)
  return countMany(JSON.stringify(filter), (stopAt) => countRows(query(), stopAt))
}

const isEmpty = (value: unknown) => value === undefined || value === ''

async function countRows(query: UserQuery, limit?: number) {
  const some = query.select('id')
  if (limit) some.limit(limit)
  const [row] = await replicaOrPrimary().from(some.as('some')).count('* as total')
  return Number(row.total)
}

/** Nearly all users are active, so counting the others is quicker. */
async function countActive(role?: string) {
  const now = Date.now()
  const withStatus = (status: UserStatus) =>
    whereStatus(role ? queryUsers().where('role', role) : queryUsers(), status, now)
  const [all, disabled, locked, invited] = await Promise.all([
    countByRole(role),
    countRows(withStatus('disabled')),
    countRows(withStatus('locked').whereNull('disabled_at')),
    countRows(whereNotLocked(withStatus('invited'), now).whereNull('disabled_at')),
  ])
  return all - disabled - locked - invited
}

/** Up to this limit counts are exact; a larger count may be a minute old. */
const EXACT_LIMIT = 1_000
const CACHE_MS = 60_000

const cachedCounts = new LRUCache<string, number>({ max: 1_000, ttl: CACHE_MS })

/** Caches large counts: counting a million matches takes longer than reading ten of them. */
export async function countMany(key: string, count: (limit?: number) => Promise<number>) {
  const cached = cachedCounts.get(key)
  if (cached !== undefined) return cached
  const few = await count(EXACT_LIMIT + 1)
  if (few <= EXACT_LIMIT) return few
  const many = await count()
  cachedCounts.set(key, many)
  return many
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
