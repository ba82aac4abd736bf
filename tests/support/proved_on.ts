import { globSync, readFileSync } from 'node:fs'

/*
 | The functional suite runs on SQLite, on Postgres, and on Postgres with Redis. What no database
 | or store changes is the same on all three, and is proved once, on SQLite. A file says so by
 | `provedOn`, or names the cells of its table that all backends prove by `cellsHere`.
 | Whatever has SQL of its own, a transaction, a lock, a script or a race stays on all of them.
 */

const BACKEND = process.env.DB_CONNECTION === 'pg' ? 'postgres' : 'sqlite'

const MARK = /^provedOn\('sqlite'/m

/** Stands at the top level of a file whose tests run on this backend alone. */
export function provedOn(backend: 'sqlite', reason: string) {
  if (backend !== BACKEND) throw new Error(`This file is proved on ${backend}: ${reason}`)
}

/** The files that another round proves. */
export function provedElsewhere() {
  if (BACKEND === 'sqlite') return []
  const files = globSync('tests/functional/**/*.spec.ts')
  return files.filter((file) => MARK.test(readFileSync(file, 'utf8')))
}

/**
 * All cells of a table on SQLite. Elsewhere some of them, which prove each row and each column on
 * every backend.
 */
export function cellsHere<Cell>(cells: Cell[], isEverywhere: (cell: Cell) => boolean) {
  return BACKEND === 'sqlite' ? cells : cells.filter(isEverywhere)
}
