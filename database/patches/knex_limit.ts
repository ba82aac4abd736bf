import { createRequire } from 'node:module'

// SQLite compiles a statement again for each value that is bound to `LIMIT`, since the plan may
// depend on it. knex 3.3 binds every limit. Patched, a limit of 1 is in the text, which is compiled
// once.

interface KnexCompiler {
  single: { limit?: number }
}

const path = 'knex/lib/dialects/sqlite3/query/sqlite-querycompiler.js'
const SqliteCompiler = createRequire(import.meta.url)(path)
const bindLimit: (this: KnexCompiler) => string = SqliteCompiler.prototype.limit

function limit(this: KnexCompiler) {
  return this.single.limit === 1 ? 'limit 1' : bindLimit.call(this)
}

Object.assign(SqliteCompiler.prototype, { limit })
