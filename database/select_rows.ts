import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { RawQueryBindings } from '@adonisjs/lucid/types/querybuilder'
import { runStatement, type Value } from './run_statement.ts'

/** Values in the order of `?`, or by name for `:name`. */
type Bindings = Value[] | Record<string, Value>

/** Returns the rows, which each driver wraps differently. */
export async function selectRows<T>(
  client: QueryClientContract,
  sql: string,
  bindings: Bindings
): Promise<T[]> {
  if (Array.isArray(bindings) && !client.isTransaction)
    return runStatement(client, { sql, bindings }) as Promise<T[]>
  const result = await client.rawQuery(sql, bindings as RawQueryBindings)
  return Array.isArray(result) ? result : result.rows
}
