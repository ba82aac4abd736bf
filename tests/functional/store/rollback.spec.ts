import { randomBytes } from 'node:crypto'
import { test } from '@japa/runner'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import type { Redis } from 'ioredis'
import env from '#start/env'
import store from '#auth/store/service'
import { isDependencyDown } from '#exceptions/dependency_failures'
import type { SessionRecord } from '#auth/store/contract'
import type { Transaction } from '#database/transaction'
import { createUser } from '#tests/support/fixtures'
import { attemptOf } from '#tests/support/store_state'
import { until } from '#tests/support/waiting'
import { reference, someSession } from './samples.ts'

const REFUSED = 'refused at its end'

/** Makes a change that is refused after all its work. */
function refusedAfter(work: (trx: Transaction) => Promise<unknown>) {
  return db.transaction(async (trx) => {
    await work(trx)
    throw new Error(REFUSED)
  })
}

const someKey = () => randomBytes(32).toString('base64url')

/** Makes three sessions of a user, the first of which has an explicit device. */
async function threeSessions() {
  const { id: userId } = await createUser()
  const at = Date.now()
  const sessions = [
    someSession(userId, { deviceId: 'laptop', createdAt: at - 2 }),
    someSession(userId, { createdAt: at - 1, method: 'passkey', amr: ['swk'] }),
    someSession(userId, { createdAt: at }),
  ]
  for (const session of sessions) await store.startSession(session, 50)
  const tokens = sessions.map((session) => reference(session))
  return { userId, sessions, tokens }
}

type Given = Awaited<ReturnType<typeof threeSessions>>

async function stateOf({ userId, tokens }: Given) {
  const listed = await store.listSessions(userId, Date.now())
  const statuses = await Promise.all(tokens.map((token) => store.tokenStatus(token, Date.now())))
  return { ids: listed.map(({ id }) => id).sort(), active: statuses.map((each) => each.isActive) }
}

const another = ({ userId }: Given, values: Partial<SessionRecord> = {}) =>
  someSession(userId, { createdAt: Date.now() + 1, ...values })

type Change = (given: Given, trx: Transaction) => Promise<unknown>

const CHANGES: Record<string, Change> = {
  'the end of a session': ({ userId, sessions }, trx) =>
    store.endSession(userId, sessions[0].id, trx),
  'the end of all sessions': ({ userId }, trx) => store.endSessions(userId, {}, trx),
  'the end of the sessions of a method': ({ userId }, trx) =>
    store.endSessions(userId, { method: 'passkey', amr: ['swk'] }, trx),
  'the revocation of a token': ({ tokens }, trx) =>
    store.revokeToken(tokens[0], Date.now() + 60_000, trx),
  'a start on the same device': (given, trx) =>
    store.startSession(another(given, { deviceId: 'laptop' }), 50, trx),
  'a start beyond the limit': (given, trx) => store.startSession(another(given), 3, trx),
}

test.group('Store | transaction that rolls back', () => {
  test('{$self} leaves every session')
    .with(Object.keys(CHANGES))
    .run(async ({ assert }, name) => {
      const given = await threeSessions()
      const before = await stateOf(given)
      const change = () => refusedAfter((trx) => CHANGES[name](given, trx))
      await assert.rejects(change, REFUSED)
      assert.deepEqual(await stateOf(given), before)
      assert.deepEqual(before.active, [true, true, true])
    })

  test('a lock of it locks nothing', async ({ assert }) => {
    const [key, now] = [someKey(), Date.now()]
    const lock = { until: now + 60_000, now }
    await assert.rejects(() => refusedAfter((trx) => store.lockAttempts(key, lock, trx)), REFUSED)
    const { outcome } = await attemptOf(key)
    assert.equal(outcome, 'reserved')
  })

  test('a lock that it {name} still holds')
    .with([
      { name: 'cleared', clear: (key: string, trx: Transaction) => store.clearAttempts(key, trx) },
      { name: 'lifted', clear: (key: string, trx: Transaction) => store.unlockAttempts(key, trx) },
    ])
    .run(async ({ assert }, { clear }) => {
      const [key, now] = [someKey(), Date.now()]
      const end = now + 60_000
      await store.lockAttempts(key, { until: end, now })
      await assert.rejects(() => refusedAfter((trx) => clear(key, trx)), REFUSED)
      assert.deepEqual(await attemptOf(key), { outcome: 'locked', until: end })
    })
})

test.group('Store | transaction that commits', () => {
  test('{$self} holds once it is acknowledged')
    .with(Object.keys(CHANGES))
    .run(async ({ assert }, name) => {
      const given = await threeSessions()
      const before = await stateOf(given)
      await db.transaction((trx) => CHANGES[name](given, trx))
      assert.notDeepEqual(await stateOf(given), before)
    })

  test('a lock replaces one that it cleared', async ({ assert }) => {
    const [key, now] = [someKey(), Date.now()]
    const next = { until: now + 120_000, now }
    await store.lockAttempts(key, { until: now + 60_000, now })
    const end = await db.transaction(async (trx) => {
      const cleared = await store.unlockAttempts(key, trx)
      await store.lockAttempts(key, next, trx)
      return cleared
    })
    assert.equal(end, now + 60_000)
    assert.deepEqual(await attemptOf(key), { outcome: 'locked', until: next.until })
  })

  test('sees the sessions that it has ended itself no more', async ({ assert }) => {
    const { userId, sessions } = await threeSessions()
    const [first, second, third] = sessions
    await db.transaction(async (trx) => {
      assert.isNotNull(await store.endSession(userId, first.id, trx))
      assert.isNull(await store.endSession(userId, first.id, trx))
      assert.isFalse(await store.revokeToken(reference(first), Date.now() + 60_000, trx))
      const listed = await store.listSessions(userId, Date.now(), trx)
      assert.sameMembers(
        listed.map(({ id }) => id),
        [second.id, third.id]
      )
      const key = { userId, sessionId: first.id }
      assert.isFalse(await store.isSessionAlive(key, Date.now(), trx))
      assert.lengthOf(await store.endSessions(userId, {}, trx), 2)
      assert.lengthOf(await store.endSessions(userId, {}, trx), 0)
    })
    assert.isEmpty(await store.listSessions(userId, Date.now()))
  })

  test('counts no session that it has ended against the limit', async ({ assert }) => {
    const given = await threeSessions()
    const { userId, sessions } = given
    const [first, second, third] = sessions
    const started = another(given)
    await db.transaction(async (trx) => {
      await store.endSession(userId, third.id, trx)
      assert.isEmpty(await store.startSession(started, 3, trx))
    })
    const listed = await store.listSessions(userId, Date.now())
    assert.sameMembers(
      listed.map(({ id }) => id),
      [first.id, second.id, started.id]
    )
  })
})

test.group('Store | Redis that is lost before the commit', (group) => {
  const isCluster = process.env.REDIS_CLUSTER_NODES !== undefined
  const isOther = env.get('STORE') !== 'redis' || isCluster
  group.tap((each) => each.skip(isOther, 'one Redis is lost, not a cluster'))

  const answers = () =>
    store.ping().then(
      () => true,
      () => false
    )

  test('rolls the transaction back', async ({ assert, cleanup }) => {
    const given = await threeSessions()
    const { userId } = given
    const before = await stateOf(given)
    const redis = await app.container.make('redis')
    const client = redis.connection('store').ioConnection as unknown as Redis
    cleanup(async () => void (await until(answers)))
    const change = db.transaction(async (trx) => {
      assert.lengthOf(await store.endSessions(userId, {}, trx), 3)
      await trx.from('users').where('id', userId).update({ username: 'Eve' })
      client.disconnect(true)
    })
    const error = await change.catch((thrown) => thrown)
    assert.isTrue(isDependencyDown(error))
    await until(answers)
    assert.deepEqual(await stateOf(given), before)
    assert.isEmpty(await db.from('revocations').where('user_id', userId))
    assert.isEmpty(await db.from('users').where({ id: userId, username: 'Eve' }))
  })
})
