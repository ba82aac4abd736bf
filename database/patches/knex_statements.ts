import type { Database, Statement } from 'better-sqlite3'
import { LRUCache } from 'lru-cache'

/** More texts than the product has. Lists of ids make many texts: the oldest are evicted. */
const MOST = 500

/**
 * knex 3.3 compiles a statement for each run, because better-sqlite3 13 keeps none (issue 793 of
 * WiseLibs/better-sqlite3). Patched, a connection compiles each text once.
 */
export function reuseStatements(connection: Database) {
  const compile = connection.prepare.bind(connection)
  const compiled = new LRUCache<string, Statement>({ max: MOST, memoMethod: (sql) => compile(sql) })
  connection.prepare = ((sql: string) => compiled.memo(sql)) as typeof connection.prepare
}
