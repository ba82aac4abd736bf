import {
  cursorOf,
  ROSTER_ORDERS,
  type RosterFilter,
  type RosterOrder,
  type RosterPage,
} from '#users/list/console_list'
import type User from '#models/user'

/*
 | The address of the list of users holds everything that it shows, so that it can be
 | kept, shared and gone back to.
 */

export interface RosterQuery extends RosterFilter {
  sort?: string | null
  after?: string | null
  before?: string | null
}

const FILTERS = ['search', 'role', 'status', 'mfa', 'verified', 'provider', 'inactive'] as const
const PAGE_SIZE = 25

export function filterOf(query: RosterQuery): RosterFilter {
  return Object.fromEntries(FILTERS.map((name) => [name, query[name] ?? null]))
}

export function pageOf({ sort, after, before }: RosterQuery): RosterPage {
  const order = (sort ?? '-created').replace(/^-/, '') as RosterOrder
  const isDescending = (sort ?? '-created').startsWith('-')
  return { order, isDescending, after, before, limit: PAGE_SIZE }
}

/** The address with some of its parts changed; what is empty is left out. */
export function addressOf(query: RosterQuery, changes: RosterQuery = {}, path = '/admin/users') {
  const saved = Object.entries({ ...query, ...changes }).filter(([, value]) => value)
  const parameters = new URLSearchParams(
    Object.fromEntries(saved.map(([name, value]) => [name, String(value)]))
  )
  return parameters.size ? `${path}?${parameters}` : path
}

/** Where each heading leads: its order, or the reverse of it when it is the present one. */
export function sortLinks(query: RosterQuery) {
  const { order: present, isDescending } = pageOf(query)
  const orders = Object.keys(ROSTER_ORDERS) as RosterOrder[]
  return Object.fromEntries(
    orders.map((order) => {
      const isPresent = order === present
      const sort = isPresent && !isDescending ? `-${order}` : order
      const path = addressOf(query, { sort, after: null, before: null })
      const direction = isPresent ? (isDescending ? 'descending' : 'ascending') : null
      return [order, { path, direction }]
    })
  )
}

/** The pages before and after one that shows these users. */
export function neighbours(query: RosterQuery, users: User[], order: RosterOrder) {
  const [first, last] = [users[0], users.at(-1)]
  return {
    previous: first && addressOf(query, { before: cursorOf(first, order), after: null }),
    next: last && addressOf(query, { after: cursorOf(last, order), before: null }),
    first: addressOf(query, { after: null, before: null }),
  }
}

/** Whether the list is narrowed at all. */
export function isFiltered(query: RosterQuery) {
  return FILTERS.some((name) => query[name])
}
