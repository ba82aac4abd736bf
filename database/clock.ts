import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/** Milliseconds since the epoch by the clock that all processes share. */
export function databaseNow({ dialect }: QueryClientContract) {
  return dialect.name === 'postgres'
    ? 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)'
    : "CAST(unixepoch('subsec') * 1000 AS integer)"
}
