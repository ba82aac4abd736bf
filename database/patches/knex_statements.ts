import type { Database, Statement } from 'better-sqlite3'

/** More texts than the product has: lists of ids make texts of different lengths. */
const MOST = 500

/**
 * knex 3.3 compiles a statement for each run, because better-sqlite3 13 keeps none (issue 793 of
 * WiseLibs/better-sqlite3). Patched, a connection compiles each text once.
 */
export function reuseStatements(connection: Database) {
  const compile = connection.prepare.bind(connection)
  const compiled = new Map<string, Statement>()
  connection.prepare = ((sql: string) => {
    const statement = compiled.get(sql) ?? compile(sql)
    if (compiled.size < MOST) compiled.set(sql, statement)
    return statement
  }) as typeof connection.prepare
}
