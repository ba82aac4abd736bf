import { parseCursor } from '#users/list/cursor'
import { CONSOLE_ORDERS, parseSort } from '#users/list/order'
import { userListValidator } from '#validators/admin'
import type { CursorPage } from '#users/list/list_users'
import type { UserFilter } from '#users/list/filter'

/*
 | The URL of the user list in the console holds everything that the page shows, so that
 | it can be bookmarked and shared. It is read and built here only.
 */

const CRITERIA = ['search', 'role', 'status', 'mfa', 'verified', 'provider', 'inactive'] as const
const FIRST_PAGE = { after: null, before: null }
const PAGE_SIZE = 25
const DAY_MS = 86_400_000

type ConsoleOrder = keyof typeof CONSOLE_ORDERS

/** The parameters of the URL. */
export interface UserListQuery {
  search?: string | null
  role?: string | null
  status?: UserFilter['status'] | null
  mfa?: 'on' | 'off' | null
  verified?: 'yes' | 'no' | null
  provider?: string | null
  /** Days without a sign-in. */
  inactive?: number | null
  /** A key of `CONSOLE_ORDERS`, with `-` for descending. */
  sort?: string | null
  after?: string | null
  before?: string | null
}

/** The validated parameters of a URL; null where one of them is invalid. */
export async function parseUserListQuery(
  values: Record<string, unknown>
): Promise<UserListQuery | null> {
  const given = Object.entries(values).filter(([, value]) => value !== '')
  const [invalid, query] = await userListValidator.tryValidate(Object.fromEntries(given))
  return invalid ? null : (query as UserListQuery)
}

/** The parameters that narrow the list, null where they are left out. */
export function criteriaOf(query: UserListQuery) {
  return Object.fromEntries(CRITERIA.map((name) => [name, query[name] ?? null]))
}

export function isFiltered(query: UserListQuery) {
  return CRITERIA.some((name) => query[name])
}

export function filterOf(query: UserListQuery): UserFilter {
  const { search, role, status, mfa, verified, provider, inactive } = query
  return {
    search: search ?? undefined,
    role: role ?? undefined,
    status: status ?? undefined,
    mfaEnabled: mfa ? mfa === 'on' : undefined,
    verified: verified ? verified === 'yes' : undefined,
    provider: provider ?? undefined,
    inactiveSince: inactive ? Date.now() - inactive * DAY_MS : undefined,
  }
}

/** A URL with a cursor that is none of its order shows the first page. */
export function pageOf(query: UserListQuery): CursorPage {
  const { name, isDescending } = sortOf(query)
  const order = CONSOLE_ORDERS[name]
  const after = query.after ? parseCursor(query.after, order) : null
  const before = query.before ? parseCursor(query.before, order) : null
  return { order, isDescending, after, before, limit: PAGE_SIZE }
}

/** The newest user comes first by default. */
function sortOf({ sort }: UserListQuery) {
  const { order, isDescending } = parseSort(sort ?? '-created')
  return { name: order as ConsoleOrder, isDescending }
}

/** The URL with some parameters changed; empty ones are left out. */
function userListUrl(query: UserListQuery, changes: UserListQuery = {}, path = '/admin/users') {
  const given = Object.entries({ ...query, ...changes }).filter(([, value]) => value)
  const texts = given.map(([name, value]): [string, string] => [name, String(value)])
  const parameters = new URLSearchParams(texts)
  return parameters.size ? `${path}?${parameters}` : path
}

export function csvUrl(query: UserListQuery) {
  return userListUrl(query, { sort: null, ...FIRST_PAGE }, '/admin/users.csv')
}

/** The URL behind each heading: its order, or the reverse of the current one. */
export function sortLinks(query: UserListQuery) {
  const current = sortOf(query)
  const names = Object.keys(CONSOLE_ORDERS) as ConsoleOrder[]
  return Object.fromEntries(
    names.map((name) => {
      const isCurrent = name === current.name
      const sort = isCurrent && !current.isDescending ? `-${name}` : name
      const path = userListUrl(query, { sort, ...FIRST_PAGE })
      const direction = isCurrent ? (current.isDescending ? 'descending' : 'ascending') : null
      return [name, { path, direction }]
    })
  )
}

interface Cursors {
  previousCursor: string | null
  nextCursor: string | null
}

/** The URLs of the pages around one; null where there is none. */
export function pageLinks(query: UserListQuery, { previousCursor, nextCursor }: Cursors) {
  const before = { before: previousCursor, after: null }
  const after = { after: nextCursor, before: null }
  return {
    first: previousCursor && userListUrl(query, FIRST_PAGE),
    previous: previousCursor && userListUrl(query, before),
    next: nextCursor && userListUrl(query, after),
  }
}
