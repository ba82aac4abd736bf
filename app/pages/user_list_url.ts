import { parseCursor } from '#users/list/cursor'
import { CONSOLE_ORDERS, parseSort } from '#users/list/order'
import { PAGE_SIZES, userListValidator } from '#validators/admin'
import { parseUtcTime, utcFieldValue } from '#validators/utc_time'
import type { CursorPage } from '#users/list/list_users'
import type { UserFilter } from '#users/list/filter'

/*
 | The URL of the user list in the console holds everything that the page shows, so that
 | it can be bookmarked and shared. It is read and built here only.
 */

const CRITERIA = [
  'search',
  'role',
  'status',
  'mfa',
  'verified',
  'provider',
  'createdFrom',
  'lastLoginFrom',
  'inactive',
] as const
const FIRST_PAGE = { after: null, before: null, at: null }
const DAY_MS = 86_400_000

type ConsoleOrder = keyof typeof CONSOLE_ORDERS

/** The parameters of the URL. */
export interface UserListQuery {
  search?: string | null
  role?: string | null
  status?: UserFilter['status'] | null
  mfa?: 'yes' | 'no' | null
  verified?: 'yes' | 'no' | null
  provider?: string | null
  /** A day, a minute or an instant, as `utc_time` reads it. */
  createdFrom?: string | null
  lastLoginFrom?: string | null
  /** Days without a sign-in. */
  inactive?: number | null
  /** A key of `CONSOLE_ORDERS`, with `-` for descending. */
  sort?: string | null
  after?: string | null
  before?: string | null
  /** Rows of a page, one of `PAGE_SIZES`. */
  limit?: number | null
  /** The number of the first row of a page that a cursor names: only shown, so it may be off. */
  at?: number | null
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

/** The parameters as a URL or a form carries them. */
export function formatUserListQuery(query: UserListQuery) {
  const given = Object.entries(query).filter(([, value]) => value)
  const texts = given.map(([name, value]): [string, string] => [name, String(value)])
  return new URLSearchParams(texts).toString()
}

/** What a form carried; null where it is no list of users. */
export function readUserListQuery(carried: string | null | undefined) {
  return parseUserListQuery(Object.fromEntries(new URLSearchParams(carried ?? '')))
}

export function isFiltered(query: UserListQuery) {
  return CRITERIA.some((name) => query[name])
}

export function filterOf(query: UserListQuery): UserFilter {
  const { search, role, status, mfa, verified, provider, createdFrom, lastLoginFrom, inactive } =
    query
  return {
    search: search ?? undefined,
    role: role ?? undefined,
    status: status ?? undefined,
    mfa: mfa ?? undefined,
    verified: verified ? verified === 'yes' : undefined,
    provider: provider ?? undefined,
    createdFrom: createdFrom ? parseUtcTime(createdFrom) : undefined,
    lastLoginFrom: lastLoginFrom ? parseUtcTime(lastLoginFrom) : undefined,
    inactiveSince: inactive ? Date.now() - inactive * DAY_MS : undefined,
  }
}

/** The values that the fields of the filter show. */
export function fieldsOf(query: UserListQuery) {
  const createdFrom = utcFieldValue(query.createdFrom)
  return { ...query, createdFrom, lastLoginFrom: utcFieldValue(query.lastLoginFrom) }
}

/** A URL with a cursor that is none of its order shows the first page. */
export function pageOf(query: UserListQuery): CursorPage {
  const { name, isDescending } = sortOf(query)
  const order = CONSOLE_ORDERS[name]
  const after = query.after ? parseCursor(query.after, order) : null
  const before = query.before ? parseCursor(query.before, order) : null
  return { order, isDescending, after, before, limit: limitOf(query) }
}

function limitOf({ limit }: UserListQuery) {
  return limit ?? PAGE_SIZES[0]
}

/** The newest user comes first by default. */
function sortOf({ sort }: UserListQuery) {
  const { order, isDescending } = parseSort(sort ?? '-created')
  return { name: order as ConsoleOrder, isDescending }
}

/** The URL with some parameters changed; empty ones are left out. */
export function userListUrl(
  query: UserListQuery,
  changes: UserListQuery = {},
  path = '/admin/users'
) {
  const parameters = formatUserListQuery({ ...query, ...changes })
  return parameters ? `${path}?${parameters}` : path
}

export function csvUrl(query: UserListQuery) {
  return userListUrl(query, { sort: null, limit: null, ...FIRST_PAGE }, '/admin/users.csv')
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

interface Page {
  previousCursor: string | null
  nextCursor: string | null
  /** Rows of the page. */
  length: number
}

/** The URLs of the pages around one; null where there is none. */
export function pageLinks(query: UserListQuery, page: Page) {
  const { previousCursor, nextCursor } = page
  const first = firstRow(query, page)
  const earlier = first && Math.max(1, first - limitOf(query))
  const before = { before: previousCursor, after: null, at: earlier }
  const after = { after: nextCursor, before: null, at: first && first + page.length }
  return {
    first: previousCursor && userListUrl(query, FIRST_PAGE),
    previous: previousCursor && userListUrl(query, before),
    next: nextCursor && userListUrl(query, after),
  }
}

/** The number of the first row; null for a page that only a cursor names. */
export function firstRow(query: UserListQuery, { previousCursor }: Page) {
  return previousCursor ? (query.at ?? null) : 1
}

/** The URL of the list with each page size, from the first page on. */
export function pageSizes(query: UserListQuery) {
  return PAGE_SIZES.map((size) => ({
    size,
    path: userListUrl(query, { limit: size === PAGE_SIZES[0] ? null : size, ...FIRST_PAGE }),
    isCurrent: size === limitOf(query),
  }))
}
