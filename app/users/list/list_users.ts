import { validate as isUuid } from 'uuid'
import { replicaOrPrimary } from '#database/replica'
import User from '#models/user'
import { invalidCursor } from '#users/errors'
import { searchFor, type Search } from './search.ts'
import { countByRole, countMany } from './count.ts'
import type { ModelQueryBuilderContract } from '@adonisjs/lucid/types/model'

/*
 | Lists of users, for the API, the console and the commands alike. Every order ends
 | with the id, so that a page never repeats or skips a user.
 */

export const USER_STATUSES = ['active', 'locked', 'disabled'] as const

/** By what a list may be ordered, and the expression that an index holds. */
const ORDERS = {
  createdAt: 'created_at',
  email: 'email',
  username: 'username',
  role: 'role',
  /** Who never signed in comes before everybody who did. */
  lastLoginAt: 'COALESCE(last_login_at, 0)',
}

type OrderField = keyof typeof ORDERS

export const USER_ORDERS = Object.keys(ORDERS).flatMap((field) => [field, `-${field}`])

export interface UserFilter {
  /** Part of an e-mail, username or nickname, in any case. */
  search?: string
  role?: string
  status?: (typeof USER_STATUSES)[number]
  mfaEnabled?: boolean
  /** Without a sign-in since then, in milliseconds since the epoch. */
  inactiveSince?: number
  /** One of `ACCOUNT_ORDERS`; oldest first unless named. */
  sort?: string
}

type UserQuery = ModelQueryBuilderContract<typeof User>

/** One page of the users that pass the filter, and how many pass it. */
export async function listUsers(
  filter: UserFilter,
  { page, limit }: { page: number; limit: number }
) {
  const search = await searchFor(filter.search)
  const { expression, direction } = orderOf(filter)
  const [users, total] = await Promise.all([
    matching(filter, search)
      .orderByRaw(`${expression} ${direction}, id ${direction}`)
      .offset((page - 1) * limit)
      .limit(limit),
    countUsers(filter, search),
  ])
  return { users, total }
}

/** The users after a cursor: as quick at any depth as at the start. */
export async function listUsersAfter(
  filter: UserFilter,
  { cursor, limit }: { cursor?: string; limit: number }
) {
  const { field, expression, direction } = orderOf(filter)
  const query = matching(filter, await searchFor(filter.search))
  if (cursor) {
    const after = readCursor(cursor, field)
    query.whereRaw(`(${expression}, id) ${direction === 'asc' ? '>' : '<'} (?, ?)`, after)
  }
  const users = await query
    .orderByRaw(`${expression} ${direction}, id ${direction}`)
    .limit(limit + 1)
  const hasMore = users.length > limit
  const page = users.slice(0, limit)
  return { users: page, nextCursor: hasMore ? writeCursor(page.at(-1)!, field) : null }
}

/** How many users pass the filter. */
async function countUsers({ sort, ...filter }: UserFilter, search: Search) {
  const { role, status, ...others } = filter
  const isByRole = Object.values(others).every((value) => value === undefined || value === '')
  if (isByRole && !status) return countByRole(role)
  if (isByRole && status === 'active') return countActive(role)
  return countMany(JSON.stringify(filter), (limit) => countRows(matching(filter, search), limit))
}

/** Nearly all are: those who are not are quicker to count. */
async function countActive(role?: string) {
  const now = Date.now()
  const [all, disabled, locked] = await Promise.all([
    countByRole(role),
    countRows(matching({ role, status: 'disabled' })),
    countRows(matching({ role }).where('locked_until', '>', now).whereNull('disabled_at')),
  ])
  return all - disabled - locked
}

async function countRows(query: UserQuery, limit?: number) {
  const some = query.select('id')
  if (limit) some.limit(limit)
  const [row] = await replicaOrPrimary().from(some.as('some')).count('* as total')
  return Number(row.total)
}

function orderOf({ sort = 'createdAt' }: UserFilter) {
  const field = sort.replace(/^-/, '') as OrderField
  const direction: 'asc' | 'desc' = sort.startsWith('-') ? 'desc' : 'asc'
  return { field, expression: ORDERS[field], direction }
}

function matching(filter: UserFilter, search?: Search): UserQuery {
  const query = User.query({ client: replicaOrPrimary() })
  const { role, status, mfaEnabled, inactiveSince } = filter
  search?.(query)
  if (role) query.where('role', role)
  if (status) hasStatus(query, status)
  if (mfaEnabled !== undefined) query.where('mfa_enabled', mfaEnabled)
  if (inactiveSince !== undefined) query.whereRaw(`${ORDERS.lastLoginAt} < ?`, [inactiveSince])
  return query
}

function hasStatus(query: UserQuery, status: UserFilter['status']) {
  const now = Date.now()
  if (status === 'disabled') return query.whereRaw('COALESCE(disabled_at, 0) > 0')
  if (status === 'locked') return query.where('locked_until', '>', now)
  return query
    .whereNull('disabled_at')
    .where((nested) => nested.whereNull('locked_until').orWhere('locked_until', '<=', now))
}

/** Where a page ended: the value that it was ordered by, and the id. */
function writeCursor(user: User, field: OrderField) {
  const values: Record<OrderField, string | number> = {
    createdAt: user.createdAt.toMillis(),
    email: user.email,
    username: user.username,
    role: user.role,
    lastLoginAt: user.lastLoginAt?.toMillis() ?? 0,
  }
  return Buffer.from(JSON.stringify([field, values[field], user.id])).toString('base64url')
}

function readCursor(cursor: string, field: OrderField): [string | number, string] {
  try {
    const [of, value, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const isTime = field === 'createdAt' || field === 'lastLoginAt'
    const isText = typeof value === 'string' && !value.includes('\0')
    const isValue = isTime ? Number.isSafeInteger(value) : isText
    const isSane = of === field && isValue
    if (isSane && isUuid(id)) return [value, id]
  } catch {}
  throw invalidCursor()
}
