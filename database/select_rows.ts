import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { RawQueryBindings } from '@adonisjs/lucid/types/querybuilder'

type Binding = string | number | boolean | null | string[]

/** In the order of `?`, or by name for `:name`. */
type Bindings = Binding[] | Record<string, Binding>

/** The drivers wrap rows differently. */
export async function selectRows<T>(
  client: QueryClientContract,
  sql: string,
  bindings: Bindings
): Promise<T[]> {
  const result = await client.rawQuery(sql, bindings as RawQueryBindings)
  return Array.isArray(result) ? result : result.rows
}
