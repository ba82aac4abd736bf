import type { Database } from 'better-sqlite3'
import { test } from '@japa/runner'
import knex from 'knex'
import { reuseStatements } from '#database/patches/knex_statements'
import { sqliteConfig } from './unpatched_knex.ts'

/** Counts how often a connection compiles a statement that runs three times. */
async function countCompilations(prepare: (connection: Database) => void) {
  let compilations = 0
  const afterCreate = (connection: Database, done: (error: null, of: Database) => void) => {
    const compile = connection.prepare.bind(connection)
    connection.prepare = ((sql: string) => {
      compilations++
      return compile(sql)
    }) as typeof connection.prepare
    prepare(connection)
    done(null, connection)
  }
  const db = knex(sqliteConfig(':memory:', afterCreate))
  for (let count = 1; count <= 3; count++) await db.raw('SELECT ?', [count])
  await db.destroy()
  return compilations
}

test.group('Patch | statements of knex on SQLite', () => {
  test('knex compiles a statement each time it runs', async ({ assert }) => {
    assert.equal(await countCompilations(() => {}), 3)
  })

  test('patched connection compiles a statement once', async ({ assert }) => {
    assert.equal(await countCompilations(reuseStatements), 1)
  })
})
