import { test } from '@japa/runner'
import knex, { type Knex } from 'knex'
import '#database/patches/knex_limit'
import { createUnpatchedKnex, sqliteConfig } from './unpatched_knex.ts'

const textOf = (query: Knex.QueryBuilder) => query.toSQL().toNative().sql

test.group('Patch | limits of knex on SQLite', () => {
  test('knex binds the limit of a first row', ({ assert }) => {
    const db = createUnpatchedKnex(sqliteConfig(':memory:'))
    assert.match(textOf(db('users').limit(1)), /limit \?$/)
  })

  test('patched knex writes it into the text, and binds others', ({ assert }) => {
    const db = knex(sqliteConfig(':memory:'))
    assert.match(textOf(db('users').limit(1)), /limit 1$/)
    assert.match(textOf(db('users').limit(20)), /limit \?$/)
  })

  test('patched knex finds one row, behind an offset too', async ({ assert }) => {
    const db = knex(sqliteConfig(':memory:'))
    try {
      const numbers = db.raw('(SELECT 1 AS number UNION ALL SELECT 2) AS numbers')
      assert.deepEqual(await db.select('number').from(numbers).limit(1), [{ number: 1 }])
      assert.deepEqual(await db.select('number').from(numbers).limit(1).offset(1), [{ number: 2 }])
    } finally {
      await db.destroy()
    }
  })
})
