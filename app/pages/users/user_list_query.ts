import { parseCursor } from '#users/list/cursor'
import { CONSOLE_ORDERS, parseSort } from '#users/list/order'
import { PAGE_SIZES, userListValidator } from '#validators/admin'
import type { CursorPage } from '#users/list/list_users'
import type { UserFilter } from '#users/list/filter'

/*
 | The URL of the user list in the console holds everything that the page shows, so that
 | it can be bookmarked and shared. It is read here and built in `user_list_url.ts` only.
 */

export type ConsoleOrder = keyof typeof CONSOLE_ORDERS

/** The parameters of the URL. */
export interface UserListQuery {
  search?: string | null
  role?: string | null
  kind?: UserFilter['kind'] | null
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

/** A URL with a cursor that is none of its order shows the first page. */
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
