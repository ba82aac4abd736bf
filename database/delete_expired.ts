import { deleteAll } from './delete_some.ts'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/**
 * @param table never comes from a request, because it becomes part of the statement
 * @param column holds milliseconds since the epoch
 * @returns the number of deleted rows
 */
export function deleteExpired(
  client: QueryClientContract,
  { table, column = 'expires_at' }: { table: string; column?: string },
  now: number
) {
  const expired = { table, where: `${column} <= ?`, values: [now] }
  return deleteAll(client, expired)
}
