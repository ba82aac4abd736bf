import { validate as isUuid } from 'uuid'
import type User from '#models/user'
import { invalidCursor } from '#users/errors'
import { USER_ORDERS, type UserOrder } from './order.ts'

/* Clients send cursors back, so the types in their JSON are checked. */

export interface Position {
  value: string | number | boolean
  id: string
}

export function positionOf(user: User, order: UserOrder): Position {
  return { value: USER_ORDERS[order].value(user), id: user.id }
}

export function formatCursor(user: User, order: UserOrder) {
  const { value, id } = positionOf(user, order)
  return Buffer.from(JSON.stringify([order, value, id])).toString('base64url')
}

export function parseCursor(cursor: string, order: UserOrder): Position | null {
  try {
    const [name, value, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return name === order && isValueOf(order, value) && isUuid(id) ? { value, id } : null
  } catch {
    return null
  }
}

export function parseCursorOrFail(cursor: string, order: UserOrder): Position {
  const position = parseCursor(cursor, order)
  if (!position) throw invalidCursor()
  return position
}

/** Postgres throws an error for a bigint such as 1e300 and for a text with a NUL character. */
function isValueOf(order: UserOrder, value: unknown) {
  const type: string = typeof value
  if (type !== USER_ORDERS[order].type) return false
  if (typeof value === 'number') return Number.isSafeInteger(value)
  return typeof value !== 'string' || !value.includes('\0')
}
