import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import sharp from 'sharp'
import { v7 as uuidv7 } from 'uuid'
import { userActor } from '#audit/actor'
import { eventMac } from '#audit/chain/chain'
import { sealPending } from '#audit/chain/sealer'
import { exportApplications } from '#oidc/grants/applications'
import { exportProfile } from '#users/export_profile'
import { createAdmin, createUser, PASSWORD, signedIn } from '#tests/support/fixtures'
import type { ApiClient } from '@japa/api-client'
import type User from '#models/user'

/** Adds events to the trail of a user as `recordAudit` does, many in each statement. */
async function addEvents(user: User, count: number) {
  const rows = Array.from({ length: count }, (_, index) => eventOf(user.id, index))
  for (let at = 0; at < count; at += 400) {
    await db.table('audit_events').multiInsert(rows.slice(at, at + 400))
  }
  await sealPending()
}

function eventOf(userId: string, index: number) {
  const event = {
    id: uuidv7(),
    occurred_at: Date.now(),
    action: 'account.updated',
    outcome: 'success',
    actor: `user:${userId}`,
    actor_id: userId,
    target_id: index % 2 === 0 ? userId : null,
    details: '{}',
    origin_key: null,
    origin: null,
    personal_key: null,
    personal: null,
  }
  return { ...event, mac: eventMac(event) }
}

async function asUser(client: ApiClient, make = createUser) {
  const user = await make()
  const { headers } = await signedIn(client, user)
  return { user, headers }
}

async function nicknameOf(user: User) {
  await user.refresh()
  return user.nickname
}

test.group('Limits | own changes', () => {
  test('the 31st change of oneself gets 429 by {path}')
    .with([{ path: '/auth/profile' }, { path: '/users/:id' }])
    .run(async ({ client, assert }, { path }) => {
      const { user, headers } = await asUser(client)
      const change = (number: number) =>
        client
          .put(path.replace(':id', user.id))
          .headers(headers)
          .json({ nickname: `Ada ${number}` })
      for (let number = 1; number <= 30; number++) await change(number)
      assert.equal(await nicknameOf(user), 'Ada 30')
      const refused = await change(31)
      refused.assertStatus(429)
      assert.isAbove(Number(refused.header('retry-after')), 0)
      assert.equal(await nicknameOf(user), 'Ada 30')
    })

  test('both paths count the same changes', async ({ client }) => {
    const { user, headers } = await asUser(client)
    for (let number = 1; number <= 15; number++) {
      await client
        .put('/auth/profile')
        .headers(headers)
        .json({ nickname: `A ${number}` })
      await client
        .put(`/users/${user.id}`)
        .headers(headers)
        .json({ nickname: `B ${number}` })
    }
    const refused = await client.put('/auth/profile').headers(headers).json({ nickname: 'C' })
    refused.assertStatus(429)
  })

  test('changes of others by an administrator are not counted', async ({ client }) => {
    const { headers } = await asUser(client, createAdmin)
    const user = await createUser()
    for (let number = 1; number <= 31; number++) {
      const response = await client
        .put(`/users/${user.id}`)
        .headers(headers)
        .json({ nickname: `Ada ${number}` })
      response.assertStatus(200)
    }
  })
})

test.group('Limits | activity', () => {
  test('every event is found by cursor, once and the newest first', async ({ client, assert }) => {
    const { user, headers } = await asUser(client)
    await addEvents(user, 250)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const query: object = { limit: 100, ...(cursor && { cursor }) }
      const response = await client.get('/auth/activity').qs(query).headers(headers)
      response.assertStatus(200)
      seen.push(...response.body().data.map(({ id }: { id: string }) => id))
      cursor = response.body().meta.nextCursor
    } while (cursor)
    assert.lengthOf(seen, 251)
    assert.deepEqual(seen, [...new Set(seen)].toSorted().toReversed())
  })

  test('pages end at 10,000 entries and counts at 1,001', async ({ client, assert }) => {
    const { user, headers } = await asUser(client)
    await addEvents(user, 10_200)
    const read = (query: object) => client.get('/auth/activity').qs(query).headers(headers)
    const last = await read({ page: 100, limit: 100 })
    last.assertStatus(200)
    assert.lengthOf(last.body().data, 100)
    assert.equal(last.body().meta.total, 1_001)
    const beyond = await read({ page: 101, limit: 100 })
    beyond.assertStatus(400)
    assert.equal(beyond.body().errors[0].field, 'page')
    const after = await read({ cursor: last.body().meta.nextCursor, limit: 100 })
    assert.lengthOf(after.body().data, 100)
    const malformed = await read({ cursor: 'mine' })
    malformed.assertStatus(400)
  })
})

test.group('Limits | audit log', () => {
  test('pages end at 10,000 entries, and filtered counts at 1,001', async ({ client, assert }) => {
    const { user } = await asUser(client)
    await addEvents(user, 10_200)
    const { headers } = await signedIn(client, await createAdmin())
    const read = (query: object) => client.get('/audit-events').qs(query).headers(headers)
    const filter = { actor: `user:${user.id}`, limit: 100 }
    const last = await read({ ...filter, page: 100 })
    last.assertStatus(200)
    assert.lengthOf(last.body().data, 100)
    assert.equal(last.body().meta.total, 1_001)
    const beyond = await read({ ...filter, page: 101 })
    beyond.assertStatus(400)
    assert.equal(beyond.body().errors[0].field, 'page')
    const after = await read({ ...filter, cursor: last.body().meta.nextCursor })
    assert.lengthOf(after.body().data, 100)
    const all = await read({ limit: 1 })
    assert.isAbove(all.body().meta.total, 10_200)
  })

  test('a page after the end of a short list is empty: {path}')
    .with([
      { path: '/audit-events', total: 1 },
      { path: '/auth/activity', total: 1 },
      { path: '/users', total: 0 },
    ])
    .run(async ({ client, assert }, { path, total }) => {
      const { user, headers } = await asUser(client, createAdmin)
      const filter = { '/audit-events': { target: user.id }, '/users': { search: randomUUID() } }
      const query = { ...filter[path as keyof typeof filter], page: 9_999, limit: 100 }
      const response = await client.get(path).qs(query).headers(headers)
      response.assertStatus(200)
      assert.deepEqual(response.body().data, [])
      assert.equal(response.body().meta.total, total)
    })

  test('{filter} is found by an index')
    .with([
      { filter: `outcome = 'failure'`, index: 'audit_events_outcome' },
      { filter: `actor = 'cli:root'`, index: 'audit_events_actor' },
      { filter: `action = 'logout'`, index: 'audit_events_action' },
    ])
    .skip(() => db.connection().dialect.name === 'postgres', 'Postgres scans a small table')
    .run(async ({ assert }, { filter, index }) => {
      const query = `SELECT * FROM audit_events WHERE ${filter} ORDER BY id DESC LIMIT 100`
      const plan = await db.rawQuery(`EXPLAIN QUERY PLAN ${query}`)
      assert.deepEqual(
        plan.map(({ detail }: { detail: string }) => detail.includes(index)),
        [true]
      )
    })
})

test.group('Limits | export', () => {
  /** SQLite reads in the process: a long answer in one piece would block all other requests. */
  test('other work gets its turn between two portions', async ({ assert, cleanup }) => {
    const user = await createUser()
    await addEvents(user, 20_000)
    let turns = 0
    let next = setImmediate(function count() {
      turns++
      next = setImmediate(count)
    })
    cleanup(() => clearImmediate(next))
    const parts: string[] = []
    const turnsAt: number[] = []
    const actor = userActor(user.id, { ip: '198.51.100.7', userAgent: null })
    const credentials = { currentPassword: PASSWORD }
    const caller = { userId: user.id, sessionId: randomUUID(), actor, credentials }
    for await (const part of await exportProfile(caller, exportApplications)) {
      parts.push(part)
      turnsAt.push(turns)
    }
    assert.isAbove(new Set(turnsAt).size, 100)
    assert.isBelow(Math.max(...parts.map((part) => part.length)), 200_000)
    assert.lengthOf(JSON.parse(parts.join('')).activity, 20_001)
  }).timeout(60_000)

  test('{count} events are exported once each')
    .with([{ count: 198 }, { count: 199 }, { count: 200 }, { count: 400 }])
    .run(async ({ client, assert }, { count }) => {
      const { user, headers } = await asUser(client)
      await addEvents(user, count)
      const response = await client.get('/auth/export').headers(headers)
      response.assertStatus(200)
      /** The sign-in and the export are events as well. */
      assert.lengthOf(response.body().activity, count + 2)
    })

  test('the picture is in the export', async ({ client, assert }) => {
    const { user, headers } = await asUser(client)
    const create = { width: 9, height: 9, channels: 3 as const, background: '#a33' }
    const image = await sharp({ create }).png().toBuffer()
    const uploaded = await client
      .post('/users/avatar')
      .headers(headers)
      .file('file', image, { filename: 'a.png' })
    uploaded.assertStatus(200)
    const response = await client.get('/auth/export').headers(headers)
    const { type, base64 } = response.body().picture
    assert.equal(type, 'image/webp')
    const stored = await db.from('avatars').where('user_id', user.id).firstOrFail()
    assert.equal(base64, Buffer.from(stored.image).toString('base64'))
  })
})
