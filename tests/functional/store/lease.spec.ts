import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import type { Knex } from 'knex'
import env from '#start/env'
import store from '#auth/store/service'
import { RedisConnection } from '#auth/store/redis/connection'
import { leaseKey } from '#auth/store/redis/keys'
import { UserLease } from '#auth/store/redis/user_lease'
import { createUser } from '#tests/support/fixtures'
import { reference, someSession } from './samples.ts'

/** The steps of two writers in every order: `begin` is before a commit, and `end` after it. */
const ORDERS = [
  ['begin A', 'end A', 'begin B', 'end B'],
  ['begin A', 'begin B', 'end A', 'end B'],
  ['begin A', 'begin B', 'end B', 'end A'],
]

test.group('Store | lease of a user', (group) => {
  group.tap((each) => each.skip(env.get('STORE') !== 'redis', 'only Redis leases users'))

  /** Makes a user with a session, and functions that change and read the lease of the user. */
  async function leasedUser() {
    const { id } = await createUser()
    const session = someSession(id)
    await store.startSession(session, 50)
    const redis = await app.container.make('redis')
    const client = redis.connection('store').ioConnection
    const lease = new UserLease(new RedisConnection(client))
    const key = leaseKey(id)
    /** Returns whether the user is leased after a request has looked up its token. */
    const isLeased = async () => {
      const { isActive } = await store.tokenStatus(reference(session), Date.now())
      return (
        isActive && /^\w+\.\w+\|\d+\.[\d.]+\|[0-9a-f-]{36}$/.test((await client.get(key)) ?? '')
      )
    }
    const begin = (writer: string) => lease.beginChange([id], writer)
    const end = (writer: string) => lease.endChange([id], writer)
    /** Marks the user as a writer whose deadline is in `deadlineMs` would have done. */
    const beginBefore = (writer: string, deadlineMs: number) =>
      client.set(key, `!${writer}=${Date.now() + deadlineMs}`, 'PX', 30_000)
    return { client, key, session, lease, isLeased, begin, end, beginBefore }
  }

  test('a change ends the lease until it is committed', async ({ assert }) => {
    const { isLeased, begin, end } = await leasedUser()
    const writer = randomUUID()
    const seen = [await isLeased()]
    await begin(writer)
    seen.push(await isLeased())
    await end(writer)
    seen.push(await isLeased())
    assert.deepEqual(seen, [true, false, true])
  })

  test('is granted only while no writer is open: {$self}')
    .with(ORDERS.map((steps) => steps.join(', ')))
    .run(async ({ assert }, steps) => {
      const { isLeased, begin, end } = await leasedUser()
      const writers: Record<string, string> = { A: randomUUID(), B: randomUUID() }
      const open = new Set<string>()
      for (const step of steps.split(', ')) {
        const [action, name] = step.split(' ')
        await (action === 'begin' ? begin : end)(writers[name])
        if (action === 'begin') open.add(name)
        else open.delete(name)
        assert.equal(await isLeased(), open.size === 0, `after ${step}`)
      }
    })

  test('is granted once the last of many writers ends', async ({ assert }) => {
    const { isLeased, begin, end } = await leasedUser()
    const writers = Array.from({ length: 8 }, () => randomUUID())
    await Promise.all(writers.map(begin))
    const [last, ...others] = writers
    await Promise.all(others.map(end))
    assert.isFalse(await isLeased())
    await end(last)
    assert.isTrue(await isLeased())
  })

  test('does not wait for a writer past its deadline', async ({ assert }) => {
    const { isLeased, begin, end, beginBefore } = await leasedUser()
    const writer = randomUUID()
    await beginBefore(randomUUID(), -1)
    await begin(writer)
    await end(writer)
    assert.isTrue(await isLeased())
  })

  test('waits for a dead writer until its deadline', async ({ assert }) => {
    const { client, key, isLeased, begin, end, beginBefore } = await leasedUser()
    const writer = randomUUID()
    await beginBefore(randomUUID(), 5_000)
    await begin(writer)
    await end(writer)
    assert.isFalse(await isLeased())
    assert.isAtMost(await client.pttl(key), 5_000)
  })

  test('answers without a statement to the database', async ({ assert }) => {
    const { session, isLeased } = await leasedUser()
    await isLeased()
    const statements: string[] = []
    const knex = db.connection().getReadClient() as Knex
    const note = ({ sql }: { sql: string }) => statements.push(sql)
    knex.on('query', note)
    await store.tokenStatus(reference(session), Date.now())
    knex.off('query', note)
    assert.notInclude(statements.join(), 'version_id')
  })

  test('of another incarnation of the database is not believed', async ({ assert }) => {
    const { client, key, session, isLeased } = await leasedUser()
    await isLeased()
    const [redis, database, version] = (await client.get(key))!.split('|')
    const lost = randomUUID()
    const named = async (incarnation: string) => {
      await client.set(key, `${redis}|${incarnation}|${lost}`)
      const tokenStatus = await store.tokenStatus(reference(session), Date.now())
      return tokenStatus.isActive && tokenStatus.userVersion
    }
    assert.equal(await named(database), lost)
    assert.equal(await named(`${database}1`), version)
    assert.equal(await named(''), version)
  })

  test('is not granted by a server that follows another one', async ({ assert }) => {
    const { client, key, session, isLeased, lease } = await leasedUser()
    await isLeased()
    const [redis, , version] = (await client.get(key))!.split('|')
    await client.del(key)
    const found = { value: '', incarnation: redis }
    await lease.renew(session.userId, found, { version, incarnation: '' })
    assert.isNull(await client.get(key))
    await lease.renew(session.userId, found, { version, incarnation: '1.2' })
    assert.equal(await client.get(key), `${redis}|1.2|${version}`)
  })

  test('ends when a writer whose mark was lost ends', async ({ assert }) => {
    const { client, key, isLeased, begin, end } = await leasedUser()
    const [lost, open] = [randomUUID(), randomUUID()]
    await begin(lost)
    await client.del(key)
    assert.isTrue(await isLeased())
    await end(lost)
    assert.equal(await client.get(key), `?${lost}`)
    await begin(open)
    await end(lost)
    assert.isFalse(await isLeased())
  })
})
