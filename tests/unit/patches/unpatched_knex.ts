import { createRequire } from 'node:module'
import type { Knex } from 'knex'

const require = createRequire(import.meta.url)

const isKnex = (file: string) => file.includes('/knex/')

function forgetKnex() {
  for (const file of Object.keys(require.cache).filter(isKnex)) delete require.cache[file]
}

/** Loads Knex as npm delivers it, beside the patched copy of this process. */
export function createUnpatchedKnex(config: Knex.Config): Knex {
  const patched = Object.entries(require.cache).filter(([file]) => isKnex(file))
  forgetKnex()
  try {
    return require('knex')(config)
  } finally {
    forgetKnex()
    for (const [file, module] of patched) require.cache[file] = module
  }
}

/** The configuration of a SQLite database on one connection. */
export function sqliteConfig(filename: string, afterCreate?: Function): Knex.Config {
  return {
    client: 'better-sqlite3',
    connection: { filename },
    useNullAsDefault: true,
    pool: { min: 1, max: 1, ...(afterCreate && { afterCreate }) },
  }
}
