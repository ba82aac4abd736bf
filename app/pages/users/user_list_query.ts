import { findGroupByName } from '#groups/group_rows'
import { parseCursor } from '#users/list/cursor'
import { CONSOLE_ORDERS, parseSort } from '#users/list/order'
import { PAGE_SIZES, userListValidator } from '#validators/admin'
import type { CursorPage } from '#users/list/list_users'
import type { UserFilter } from '#users/list/filter'

/* The URL holds everything that the page shows, so that it can be bookmarked and shared. */

export type ConsoleOrder = keyof typeof CONSOLE_ORDERS

export interface UserListQuery {
  search?: string | null
  role?: string | null
  kind?: UserFilter['kind'] | null
  status?: UserFilter['status'] | null
  mfa?: 'yes' | 'no' | null
  verified?: 'yes' | 'no' | null
  provider?: string | null
  /** The name of a group. */
  group?: string | null
  /** A day, a minute or an instant, as `utc_time` reads it. */
  createdFrom?: string | null
  lastLoginFrom?: string | null
  /** Days without a sign-in. */
  inactive?: number | null
  /** A key of `CONSOLE_ORDERS`, with `-` for descending. */
  sort?: string | null
  after?: string | null
  before?: string | null
  limit?: number | null
  /** The number of the first row, only for display: it may be outdated. */
  at?: number | null
}

/** @returns null where a parameter is invalid */
export async function parseUserListQuery(
  values: Record<string, unknown>
): Promise<UserListQuery | null> {
  const given = Object.entries(values).filter(([, value]) => value !== '')
  const [invalid, query] = await userListValidator.tryValidate(Object.fromEntries(given))
  return invalid || !(await isGroup(query.group)) ? null : (query as UserListQuery)
}

/** A bookmark may name a group that was deleted. */
async function isGroup(name?: string | null) {
  return !name || Boolean(await findGroupByName(name))
}

export function formatUserListQuery(query: UserListQuery) {
  const given = Object.entries(query).filter(([, value]) => value)
  const texts = given.map(([name, value]): [string, string] => [name, String(value)])
  return new URLSearchParams(texts).toString()
}

export function readUserListQuery(carried: string | null | undefined) {
  return parseUserListQuery(Object.fromEntries(new URLSearchParams(carried ?? '')))
}

/** A cursor of another order shows the first page. */
export function pageOf(query: UserListQuery): CursorPage {
  const { name, isDescending } = sortOf(query)
  const order = CONSOLE_ORDERS[name]
  const after = query.after ? parseCursor(query.after, order) : null
  const before = query.before ? parseCursor(query.before, order) : null
  return { order, isDescending, after, before, limit: limitOf(query) }
}

export function limitOf({ limit }: UserListQuery) {
  return limit ?? PAGE_SIZES[0]
}

/** The newest user comes first by default. */
export function sortOf({ sort }: UserListQuery) {
  const { order, isDescending } = parseSort(sort ?? '-created')
  return { name: order as ConsoleOrder, isDescending }
}
