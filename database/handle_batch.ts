import { hashHandle } from './handle.ts'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

interface HandleOfUser {
  id: string
  handle: string
}

/** Rows are passed as JSON, so that each batch is one statement whose text is always the same. */
const ROWS = {
  postgres: `SELECT CAST(value->>0 AS uuid) AS id, value->>1 AS handle, value->>2 AS hash
    FROM json_array_elements(CAST(? AS json))`,
  sqlite: 'SELECT value->>0 AS id, value->>1 AS handle, value->>2 AS hash FROM json_each(?)',
}

/** Returns a table `batch` with `id`, `handle` and `hash`, and the value of its `?`. */
export function handleBatch({ dialect }: QueryClientContract, handles: HandleOfUser[]) {
  const rows = dialect.name === 'postgres' ? ROWS.postgres : ROWS.sqlite
  const values = handles.map(({ id, handle }) => [id, handle, hashHandle(handle)])
  return { table: `(${rows}) AS batch`, json: JSON.stringify(values) }
}
