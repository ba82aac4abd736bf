import type User from '#models/user'
import limits from '#config/limits'
import { BATCH_SIZE, yieldToEventLoop } from '#database/batches'
import { assertEndsBefore, isDeep } from '#exceptions/page_depth'
import { countListed, countUsers } from './count.ts'
import { formatCursor, positionOf, type Position } from './cursor.ts'
import { selectUsers, type UserFilter, type UserSelection } from './filter.ts'
import { findFrom, sorted } from './range.ts'
import type { Sort } from './order.ts'

/* Every order ends with the id, so that pages neither repeat nor skip a user. */

interface NumberedPage extends Sort {
  page: number
  limit: number
}

/** Lists users for operators: counts every match and allows a page at any depth. */
export async function listUsers(filter: UserFilter, page: NumberedPage) {
  const selection = await selectUsers(filter)
  const [users, total] = await Promise.all([readPage(selection, page), countUsers(selection)])
  return { users, total }
}

/** With a filter, `total` counts to 10,001. @throws a validation error for a deep page of a long list */
export async function listFirstUsers(filter: UserFilter, page: NumberedPage) {
  const selection = await selectUsers(filter)
  const counting = countListed(selection, limits.pageDepth + 1)
  if (!isDeep(offsetOf(page))) {
    const [users, total] = await Promise.all([readPage(selection, page), counting])
    return { users, total }
  }
  const total = await counting
  assertEndsBefore(total, 'cursor of version 2')
  return { users: [], total }
}

const offsetOf = ({ page, limit }: NumberedPage) => (page - 1) * limit

function readPage(selection: UserSelection, page: NumberedPage) {
  return sorted(selection, page).offset(offsetOf(page)).limit(page.limit)
}

export interface CursorPage extends Sort {
  /** The page lies after or before this position; without one it is the first page. */
  after?: Position | null
  before?: Position | null
  limit: number
}

/** Reads a page at any depth as quickly as the first one. */
export async function listUsersByCursor(selection: UserSelection, page: CursorPage) {
  const { order, after, before, limit } = page
  const isDescending = before ? !page.isDescending : page.isDescending
  const position = before ?? after ?? null
  const found = await findFrom(selection, position, { order, isDescending, limit: limit + 1 })
  const users = found.slice(0, limit)
  if (before) users.reverse()
  const hasMore = found.length > limit
  const cursorOf = (user?: User) => (user ? formatCursor(user, order) : null)
  return {
    users,
    previousCursor: (before ? hasMore : position) ? cursorOf(users[0]) : null,
    nextCursor: before || hasMore ? cursorOf(users.at(-1)) : null,
  }
}

/** Yields the oldest users first. Other requests run between batches. */
export async function* walkUsers(filter: UserFilter) {
  const selection = await selectUsers(filter)
  const walk = { order: 'createdAt', isDescending: false, limit: BATCH_SIZE } as const
  let position: Position | null = null
  do {
    const users: User[] = await findFrom(selection, position, walk)
    if (users.length > 0) yield users
    position = users.length === BATCH_SIZE ? positionOf(users.at(-1)!, walk.order) : null
    await yieldToEventLoop()
  } while (position)
}
