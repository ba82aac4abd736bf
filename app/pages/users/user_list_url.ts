import { CONSOLE_ORDERS } from '#users/list/order'
import { PAGE_SIZES } from '#validators/admin'
import {
  formatUserListQuery,
  limitOf,
  sortOf,
  type ConsoleOrder,
  type UserListQuery,
} from './user_list_query.ts'

const FIRST_PAGE = { after: null, before: null, at: null }

/** Empty parameters are left out. */
export function userListUrl(
  query: UserListQuery,
  changes: UserListQuery = {},
  path = '/admin/users'
) {
  const parameters = formatUserListQuery({ ...query, ...changes })
  return parameters ? `${path}?${parameters}` : path
}

export function withoutFilter(query: UserListQuery, name: string) {
  return userListUrl(query, { [name]: null, ...FIRST_PAGE })
}

export function csvUrl(query: UserListQuery) {
  return userListUrl(query, { sort: null, limit: null, ...FIRST_PAGE }, '/admin/users.csv')
}

/** Each heading sorts by its order, or reverses the current one. */
export function sortLinks(query: UserListQuery) {
  const names = Object.keys(CONSOLE_ORDERS) as ConsoleOrder[]
  return Object.fromEntries(names.map((name) => [name, sortLink(query, name)]))
}

function sortLink(query: UserListQuery, name: ConsoleOrder) {
  const current = sortOf(query)
  const isCurrent = name === current.name
  const sort = isCurrent && !current.isDescending ? `-${name}` : name
  const direction = isCurrent ? (current.isDescending ? 'descending' : 'ascending') : null
  return { path: userListUrl(query, { sort, ...FIRST_PAGE }), direction }
}

interface Page {
  previousCursor: string | null
  nextCursor: string | null
  length: number
}

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

/** @returns null for a page that only a cursor names */
export function firstRow(query: UserListQuery, { previousCursor }: Page) {
  return previousCursor ? (query.at ?? null) : 1
}

export function pageSizes(query: UserListQuery) {
  return PAGE_SIZES.map((size) => ({
    size,
    path: userListUrl(query, { limit: size === PAGE_SIZES[0] ? null : size, ...FIRST_PAGE }),
    isCurrent: size === limitOf(query),
  }))
}
