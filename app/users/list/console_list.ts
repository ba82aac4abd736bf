import { validate as isUuid } from 'uuid'
import type { ModelQueryBuilderContract } from '@adonisjs/lucid/types/model'
import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { IS_PENDING } from '#users/invitations'
import { searchFor, type Search } from './search.ts'

/*
 | The list of users as administrators walk through it: any filter with any order. A
 | page is named by the user beside it and found through an index, so that the last
 | of a million users costs what the first one does.
 */

export const ROSTER_STATUSES = ['active', 'locked', 'disabled', 'invited'] as const

export interface RosterFilter {
  /** Part of an e-mail, username or nickname. */
  search?: string | null
  role?: string | null
  status?: (typeof ROSTER_STATUSES)[number] | null
  mfa?: 'on' | 'off' | null
  verified?: 'yes' | 'no' | null
  /** An external provider, or `password` for none. */
  provider?: string | null
  /** Not signed in for that many days. */
  inactive?: number | null
}

/** By what a list may be ordered; each has an index (migration 0010). */
export const ROSTER_ORDERS = {
  email: 'email',
  name: 'username',
  role: 'role',
  status: 'COALESCE(disabled_at, 0)',
  mfa: 'mfa_enabled',
  provider: "COALESCE(provider, '')",
  seen: 'COALESCE(last_login_at, 0)',
  created: 'created_at',
} as const

export type RosterOrder = keyof typeof ROSTER_ORDERS

export interface RosterPage {
  order: RosterOrder
  isDescending: boolean
  /** The cursor of the user after or before which the page lies. */
  after?: string | null
  before?: string | null
  limit: number
}

type UserQuery = ModelQueryBuilderContract<typeof User>

const DAY_MS = 86_400_000

/** Narrows a query to the users that a filter means. */
function applyFilter(query: UserQuery, filter: RosterFilter, search: Search, now = Date.now()) {
  search(query)
  if (filter.role) query.where('role', filter.role)
  if (filter.status) matchStatus(query, filter.status, now)
  if (filter.mfa) query.where('mfa_enabled', filter.mfa === 'on')
  if (filter.verified === 'yes') query.whereNotNull('email_verified_at')
  if (filter.verified === 'no') query.whereNull('email_verified_at')
  if (filter.provider === 'password') query.whereNull('provider')
  else if (filter.provider) query.where('provider', filter.provider)
  if (filter.inactive) matchInactive(query, now - filter.inactive * DAY_MS)
  return query
}

function matchStatus(query: UserQuery, status: RosterFilter['status'], now: number) {
  if (status === 'disabled') query.whereRaw('COALESCE(disabled_at, 0) > 0')
  if (status === 'locked') query.where('locked_until', '>', now)
  if (status === 'invited') query.whereRaw(IS_PENDING)
  if (status !== 'active') return
  query.whereNull('disabled_at').whereRaw(`NOT (${IS_PENDING})`)
  query.where((free) => free.whereNull('locked_until').orWhere('locked_until', '<=', now))
}

/** Who never signed in counts from the day the user was made. */
function matchInactive(query: UserQuery, since: number) {
  query
    .whereRaw('COALESCE(last_login_at, 0) < ?', [since])
    .where((old) => old.whereNotNull('last_login_at').orWhere('created_at', '<', since))
}

interface Position {
  value: string | number | boolean
  id: string
}

/** By what an order sorts, of one user. */
const VALUES: Record<RosterOrder, (user: User) => Position['value']> = {
  email: (user) => user.email,
  name: (user) => user.username,
  role: (user) => user.role,
  status: (user) => user.disabledAt?.toMillis() ?? 0,
  mfa: (user) => Boolean(user.mfaEnabled),
  provider: (user) => user.provider ?? '',
  seen: (user) => user.lastLoginAt?.toMillis() ?? 0,
  created: (user) => user.createdAt.toMillis(),
}

const TYPES: Record<RosterOrder, string> = {
  email: 'string',
  name: 'string',
  role: 'string',
  status: 'number',
  mfa: 'boolean',
  provider: 'string',
  seen: 'number',
  created: 'number',
}

/** Names a user's place in an order. */
export function cursorOf(user: User, order: RosterOrder) {
  return Buffer.from(JSON.stringify([VALUES[order](user), user.id])).toString('base64url')
}

/** The place that a cursor names; null for what is no cursor of this order. */
function readCursor(cursor: string | null | undefined, order: RosterOrder): Position | null {
  try {
    const [value, id] = JSON.parse(Buffer.from(cursor ?? '', 'base64url').toString())
    const type: string = typeof value
    const isStorable = type === TYPES[order] && !String(value).includes('\0')
    return isStorable && isUuid(id) ? { value, id } : null
  } catch {
    return null
  }
}

/** One page of the users that a filter means. */
export async function listRoster(filter: RosterFilter, page: RosterPage) {
  const before = readCursor(page.before, page.order)
  const position = before ?? readCursor(page.after, page.order)
  const isDescending = before ? !page.isDescending : page.isDescending
  const search = await searchFor(filter.search)
  const expression = ROSTER_ORDERS[page.order]
  const walk = { expression, isDescending, limit: page.limit + 1, search }
  const found = await walkFrom(filter, position, walk)
  const users = found.slice(0, page.limit)
  const hasFurther = found.length > page.limit
  if (before) users.reverse()
  return {
    users,
    hasPrevious: before ? hasFurther : position !== null,
    hasNext: before ? true : hasFurther,
  }
}

interface Walk {
  expression: string
  isDescending: boolean
  limit: number
  search: Search
}

/** First those that tie with the place, then those beyond it: each is a range of an index. */
async function walkFrom(
  filter: RosterFilter,
  position: Position | null,
  walk: Walk
): Promise<User[]> {
  if (!position) return ordered(filter, walk)
  const sign = walk.isDescending ? '<' : '>'
  const ties = await ordered(filter, walk)
    .whereRaw(`${walk.expression} = ?`, [position.value])
    .where('id', sign, position.id)
  if (ties.length >= walk.limit) return ties
  const rest = { ...walk, limit: walk.limit - ties.length }
  const beyond = await ordered(filter, rest).whereRaw(`${walk.expression} ${sign} ?`, [
    position.value,
  ])
  return [...ties, ...beyond]
}

function ordered(filter: RosterFilter, { expression, isDescending, limit, search }: Walk) {
  const direction = isDescending ? 'desc' : 'asc'
  return applyFilter(User.query(), filter, search)
    .orderByRaw(`${expression} ${direction}`)
    .orderBy('id', direction)
    .limit(limit)
}

/** Counting on is of no use to anybody, and expensive. */
export const COUNT_LIMIT = 10_000

/** How many users a filter means; at `COUNT_LIMIT + 1` the count stops. */
export async function countRoster(filter: RosterFilter) {
  const search = await searchFor(filter.search)
  const some = applyFilter(User.query().select('id'), filter, search).limit(COUNT_LIMIT + 1)
  const [{ total }] = await db.from(some.as('some')).count('* as total')
  return Number(total)
}

/** Every user that a filter means, in portions, the oldest first. */
export async function* walkRoster(filter: RosterFilter, portion = 1_000) {
  const search = await searchFor(filter.search)
  let last: string | null = null
  for (;;) {
    const query = applyFilter(User.query(), filter, search).orderBy('id').limit(portion)
    if (last) query.where('id', '>', last)
    const users: User[] = await query
    if (users.length > 0) yield users
    if (users.length < portion) return
    last = users.at(-1)!.id
  }
}
