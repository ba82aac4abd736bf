import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from '@japa/runner'
import knex, { type Knex } from 'knex'
import type { PoolClient } from 'pg'
import { nameStatements } from '#database/named_statements'
import { Postgres } from '#tests/servers/postgres'
import { PreparedNames } from '#tests/servers/prepared_names'
import { TcpProxy } from '#tests/servers/tcp_proxy'
import { WITH_ADMIN } from './application.ts'
import { newcomer, sharedSettings } from './backend.ts'
import { Product } from './product.ts'

test.group('Postgres | prepared statements', (group) => {
  let postgres: Postgres
  let db: Knex

  group.setup(async () => {
    postgres = await Postgres.start()
  })
  group.teardown(() => postgres.remove())

  group.each.setup(async () => {
    db = knex({
      client: 'pg',
      connection: { connectionString: postgres.url('postgres') },
      pool: {
        min: 0,
        max: 1,
        afterCreate: (connection: PoolClient, done: (error: null, of: PoolClient) => void) => {
          nameStatements(connection)
          done(null, connection)
        },
      },
    })
    await db.raw('DROP TABLE IF EXISTS books')
    await db.raw('CREATE TABLE books AS SELECT 1 AS id')
    return () => db.destroy()
  })

  const find = (client: Knex = db) => client('books').where('id', 1)

  test('statement is prepared once and then reused', async ({ assert }) => {
    for (let count = 0; count < 5; count++) await find()
    const { rows } = await db.raw(
      `SELECT statement, generic_plans + custom_plans AS runs FROM pg_prepared_statements`
    )
    assert.lengthOf(rows, 1)
    assert.match(rows[0].statement, /from "books" where "id" = \$1/)
    assert.equal(Number(rows[0].runs), 5)
  })

  test('statement without values stays unnamed', async ({ assert }) => {
    await db('books')
    const { rows } = await db.raw('SELECT count(*) FROM pg_prepared_statements')
    assert.equal(Number(rows[0].count), 0)
  })

  test('query survives a migration of its table', async ({ assert }) => {
    await find()
    await postgres.query('ALTER TABLE books ADD title text')
    assert.deepEqual(await find(), [{ id: 1, title: null }])
    assert.deepEqual(await find(), [{ id: 1, title: null }])
  })

  test('transaction across a migration fails once', async ({ assert }) => {
    await find()
    await postgres.query('ALTER TABLE books ADD title text')
    await assert.rejects(() => db.transaction((trx) => find(trx)), /cached plan/)
    assert.deepEqual(await db.transaction((trx) => find(trx)), [{ id: 1, title: null }])
  })
})

test.group('Postgres | a start', (group) => {
  let postgres: Postgres
  group.setup(async () => {
    postgres = await Postgres.start()
    return () => postgres.remove()
  })

  /** Returns a port on which the product cannot listen: it completes a start, but never serves. */
  async function takenPort() {
    const server = createServer().listen(0)
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    return { PORT: String(port), close: () => void server.close() }
  }

  /** The first start migrates and makes the administrator. A later start finds both done. */
  test('names no statement before it serves', async ({ assert, cleanup }) => {
    const [proxy, { PORT, close }] = [await TcpProxy.start(postgres.port), await takenPort()]
    const url = await postgres.createDatabase('gatehouse')
    const through = url.replace(`:${postgres.port}`, `:${proxy.port}`)
    const settings = { ...sharedSettings(through), ...WITH_ADMIN }
    cleanup(() => {
      close()
      proxy.close()
    })
    const counts: [number, boolean][] = []
    for (const which of ['first', 'later']) {
      const names = new PreparedNames()
      proxy.onConnection = names.watch
      const product = await Product.spawn({ ...settings, PORT })
      assert.equal(await product.exits(), 1, which)
      counts.push([names.named.length, names.unnamed > 0])
      await product.remove()
    }
    assert.deepEqual(counts, [
      [0, true],
      [0, true],
    ])
    const names = new PreparedNames()
    proxy.onConnection = names.watch
    const serving = await Product.start(settings)
    cleanup(() => serving.remove())
    await newcomer(serving)
    assert.isAbove(names.named.length, 0)
  }).timeout(180_000)
})
