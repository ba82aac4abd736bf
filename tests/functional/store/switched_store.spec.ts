import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import env from '#start/env'
import { storeConnection } from '#auth/store/empty_store'
import { STORE_ID } from '#auth/store/redis/keys'
import { endSessionsAfterSwitch, noteEmptiedStore } from '#auth/store/switched_store'
import { createUser, signedIn } from '#tests/support/fixtures'
import { until } from '#tests/support/waiting'
import type { ApiClient } from '@japa/api-client'

const CURRENT = env.get('STORE')
const OTHER = CURRENT === 'redis' ? 'database' : 'redis'

/** Stores which store the last start has used, in a row of the database. */
function noteStore(name: string | null) {
  const row = { id: 1, token_store: name }
  return db.knexQuery().insert(row).into('installation').onConflict('id').merge(['token_store'])
}

async function notedStore() {
  const row = await db.from('installation').where('id', 1).firstOrFail()
  return row.token_store
}

/** Waits for the first answer of a store that is in use again, and returns its status. */
function firstAnswer(client: ApiClient, headers: Record<string, string>) {
  return until(async () => {
    const response = await client.get('/auth/profile').headers(headers)
    return response.status() !== 503 && response.status()
  })
}

test.group('Store | a start with another one than before', () => {
  test('after {before} a session gets {status}')
    .with([
      { before: OTHER, status: 401 },
      { before: CURRENT, status: 200 },
      { before: null, status: 200 },
    ])
    .run(async ({ client, assert }, { before, status }) => {
      const { headers } = await signedIn(client, await createUser())
      await noteStore(before)
      await endSessionsAfterSwitch()
      const profile = await client.get('/auth/profile').headers(headers)
      profile.assertStatus(status)
      assert.equal(await notedStore(), CURRENT)
    })

  test('a restore notes the store that it emptied', async ({ assert }) => {
    await noteStore(OTHER)
    await db.transaction(noteEmptiedStore)
    assert.equal(await notedStore(), CURRENT)
  })

  test('of two starts at once one ends the sessions', async ({ client, assert }) => {
    await noteStore(OTHER)
    await Promise.all([endSessionsAfterSwitch(), endSessionsAfterSwitch()])
    const { headers } = await signedIn(client, await createUser())
    await endSessionsAfterSwitch()
    const profile = await client.get('/auth/profile').headers(headers)
    profile.assertStatus(200)
    assert.equal(await notedStore(), CURRENT)
  })
})

test.group('Store | a start with another Redis than before', (group) => {
  group.tap((each) => each.skip(CURRENT !== 'redis', 'only Redis has an id'))

  const connection = async () => (await storeConnection())!
  const noteRedis = (id: string | null) => db.from('installation').update({ redis_id: id })
  const notedRedis = async () => {
    const row = await db.from('installation').firstOrFail()
    return row.redis_id
  }

  test('where the id is {found} and {known} was noted a session gets {status}')
    .with([
      { found: 'one', known: 'one', status: 200 },
      { found: 'one', known: 'other', status: 401 },
      { found: 'one', known: null, status: 200 },
      { found: null, known: 'one', status: 200 },
    ])
    .run(async ({ client, assert }, { found, known, status }) => {
      await noteStore(CURRENT)
      const { headers } = await signedIn(client, await createUser())
      const redis = await connection()
      await (found ? redis.writeId(found) : redis.client.del(STORE_ID))
      await noteRedis(known)
      await endSessionsAfterSwitch()
      const profile = await client.get('/auth/profile').headers(headers)
      profile.assertStatus(status)
      assert.equal(await redis.readId(), await notedRedis())
    })

  test('after a restore sessions of another Redis have ended', async ({ client }) => {
    const { headers } = await signedIn(client, await createUser())
    const redis = await connection()
    await redis.writeId('one')
    await db.transaction(noteEmptiedStore)
    await endSessionsAfterSwitch()
    const profile = await client.get('/auth/profile').headers(headers)
    profile.assertStatus(401)
  })

  test('of two starts at once one ends the sessions', async ({ client, assert }) => {
    await noteStore(CURRENT)
    const redis = await connection()
    await redis.writeId('one')
    await noteRedis('other')
    await Promise.all([endSessionsAfterSwitch(), endSessionsAfterSwitch()])
    const { headers } = await signedIn(client, await createUser())
    await endSessionsAfterSwitch()
    const profile = await client.get('/auth/profile').headers(headers)
    profile.assertStatus(200)
    assert.equal(await redis.readId(), await notedRedis())
  })

  test('a connection that was lost serves no session of another', async ({ client, assert }) => {
    await noteStore(CURRENT)
    await endSessionsAfterSwitch()
    const { headers } = await signedIn(client, await createUser())
    await noteRedis('other')
    const redis = await connection()
    redis.client.disconnect(true)
    assert.equal(await firstAnswer(client, headers), 401)
    assert.equal(await redis.readId(), await notedRedis())
  })

  test('a Redis that answers late serves no session of another', async ({ client, assert }) => {
    await noteStore(CURRENT)
    const { headers } = await signedIn(client, await createUser())
    const redis = await connection()
    await redis.writeId('one')
    await noteRedis('other')
    redis.ping = () => Promise.reject(new Error('Connection is closed.'))
    await endSessionsAfterSwitch()
    const meanwhile = await client.get('/auth/profile').headers(headers)
    delete (redis as Partial<typeof redis>).ping
    assert.equal(meanwhile.status(), 503)
    assert.equal(await firstAnswer(client, headers), 401)
  })
})
