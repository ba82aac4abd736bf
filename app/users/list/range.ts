import type User from '#models/user'
import { USER_ORDERS, type Sort } from './order.ts'
import type { Position } from './cursor.ts'
import type { UserSelection } from './filter.ts'

interface Walk extends Sort {
  limit: number
}

/**
 * The next users from a position: first those with the same value and a further id, then
 * those with a further value. Each of the two queries reads one range of the order's index.
 * The first orders by the id alone, because SQLite would sort all its users if it had to
 * order by an indexed expression that it also compares.
 */
export async function findFrom(
  selection: UserSelection,
  position: Position | null,
  { limit, ...sort }: Walk
): Promise<User[]> {
  if (!position) return sorted(selection, sort).limit(limit)
  const ties = await tiesOf(selection, position, sort).limit(limit)
  if (ties.length >= limit) return ties
  const { expression } = USER_ORDERS[sort.order]
  const beyond = await sorted(selection, sort)
    .whereRaw(`${expression} ${sort.isDescending ? '<' : '>'} ?`, [position.value])
    .limit(limit - ties.length)
  return [...ties, ...beyond]
}

/** The users with the same value and a further id. */
function tiesOf({ query }: UserSelection, position: Position, { order, isDescending }: Sort) {
  return query()
    .whereRaw(`${USER_ORDERS[order].expression} = ?`, [position.value])
    .where('id', isDescending ? '<' : '>', position.id)
    .orderBy('id', isDescending ? 'desc' : 'asc')
}

export function sorted({ query }: UserSelection, { order, isDescending }: Sort) {
  const direction = isDescending ? 'desc' : 'asc'
  return query().orderByRaw(`${USER_ORDERS[order].expression} ${direction}, id ${direction}`)
}
