import type User from '#models/user'
import { USER_ORDERS, type Sort } from './order.ts'
import type { Position } from './cursor.ts'
import type { UserSelection } from './filter.ts'

interface Walk extends Sort {
  limit: number
}

/** Two queries each read one index range; the first orders only by id, or SQLite would sort all its users. */
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

function tiesOf({ query }: UserSelection, position: Position, { order, isDescending }: Sort) {
  return query({ order })
    .whereRaw(`${USER_ORDERS[order].expression} = ?`, [position.value])
    .where('id', isDescending ? '<' : '>', position.id)
    .orderBy('id', isDescending ? 'desc' : 'asc')
}

export function sorted({ query }: UserSelection, { order, isDescending }: Sort) {
  const direction = isDescending ? 'desc' : 'asc'
  return query({ order }).orderByRaw(
    `${USER_ORDERS[order].expression} ${direction}, id ${direction}`
  )
}
