import { test } from '@japa/runner'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import type { Redis } from 'ioredis'
import env from '#start/env'
import store from '#auth/store/service'
import { RedisConnection, waitUntilReady } from '#auth/store/redis/connection'
import { RedisStore } from '#auth/store/redis/store'
import { createUser } from '#tests/support/fixtures'
import { someSession } from './samples.ts'

/** Longer than a test. The test ends the pause itself. */
const PAUSE_MS = 60_000

test.group('Store | a start whose reply is late', (group) => {
  const isCluster = process.env.REDIS_CLUSTER_NODES !== undefined
  const isOther = env.get('STORE') !== 'redis' || isCluster
  group.tap((each) => each.skip(isOther, 'a pause needs one Redis, not a cluster'))

  /** A store with the short timeout of the product, unlike the other stores of the tests. */
  async function impatientStore() {
    const redis = await app.container.make('redis')
    const server = redis.connection('main').ioConnection as unknown as Redis
    const client = server.duplicate({ commandTimeout: 200, socketTimeout: PAUSE_MS })
    await waitUntilReady(client, PAUSE_MS)
    return { server, client, impatient: new RedisStore(new RedisConnection(client), db) }
  }

  test('leaves no session that the client never got', async ({ assert, cleanup }) => {
    const { id: userId } = await createUser()
    const { server, client, impatient } = await impatientStore()
    const resume = () => server.call('CLIENT', 'UNPAUSE')
    cleanup(async () => {
      await resume()
      client.disconnect()
    })
    const [late, next] = [someSession(userId), someSession(userId)]
    await server.call('CLIENT', 'PAUSE', PAUSE_MS, 'WRITE')
    await assert.rejects(() => impatient.startSession(late, 50), /timed out/i)
    await resume()
    // On one connection, the server runs the scripts in the order in which they were sent.
    client.options.commandTimeout = PAUSE_MS
    await client.ping()
    await store.startSession(next, 50)
    const sessions = await store.listSessions(userId, Date.now())
    assert.deepEqual(
      sessions.map(({ id }) => id),
      [next.id]
    )
  })
})
