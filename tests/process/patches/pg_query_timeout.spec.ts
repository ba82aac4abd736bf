import { test } from '@japa/runner'
import knex from 'knex'
import type { PoolClient } from 'pg'
import { discardOnTimeout } from '#database/patches/pg_query_timeout'
import { Postgres } from '#tests/servers/postgres'

test.group('Patch | query time-out of pg', (group) => {
  let postgres: Postgres
  group.setup(async () => {
    postgres = await Postgres.start()
  })
  group.teardown(() => postgres.remove())

  /** Returns the answer to a short query after a long one timed out on a one-connection pool. */
  async function askAfterTimeout(prepare: (connection: PoolClient) => void) {
    const afterCreate = (connection: PoolClient, done: (error: null, of: PoolClient) => void) => {
      prepare(connection)
      done(null, connection)
    }
    const db = knex({
      client: 'pg',
      connection: { connectionString: postgres.url('postgres'), query_timeout: 1_000 },
      pool: { min: 0, max: 1, afterCreate },
    })
    try {
      await db.raw('SELECT pg_sleep(10)').catch(() => {})
      const { rows } = await db.raw('SELECT 1 AS answer')
      return rows[0].answer
    } finally {
      await db.destroy()
    }
  }

  test('pg keeps a connection that timed out in the pool', async ({ assert }) => {
    await assert.rejects(() => askAfterTimeout(() => {}), /Query read timeout/)
  })

  test('patched connection gives way to a fresh one', async ({ assert }) => {
    assert.equal(await askAfterTimeout(discardOnTimeout), 1)
  })
})
