import { globSync, readFileSync } from 'node:fs'

/*
 | The functional suite runs on SQLite, on Postgres, and on Postgres with Redis. Behaviour that does
 | not depend on database or store is proved only on SQLite. A file says so by `provedOn`, or names
 | the cells of its table that all backends prove by `cellsHere`. Tests of their own SQL, a
 | transaction, a lock, a script or a race run on all backends.
 */

const BACKEND = process.env.DB_CONNECTION === 'pg' ? 'postgres' : 'sqlite'

const MARK = /^provedOn\('sqlite'/m

/** Call it at the top level of a file whose tests run only on this backend. */
export function provedOn(backend: 'sqlite', reason: string) {
  if (backend !== BACKEND) throw new Error(`This file is proved on ${backend}: ${reason}`)
}

/** Returns the files that another round proves. */
export function provedElsewhere() {
  if (BACKEND === 'sqlite') return []
  const files = globSync('tests/functional/**/*.spec.ts')
  return files.filter((file) => MARK.test(readFileSync(file, 'utf8')))
}

/**
 * Returns all cells of a table on SQLite. Elsewhere it returns some, so that each row and each
 * column is proved on every backend.
 */
export function cellsHere<Cell>(cells: Cell[], isEverywhere: (cell: Cell) => boolean) {
  return BACKEND === 'sqlite' ? cells : cells.filter(isEverywhere)
}
