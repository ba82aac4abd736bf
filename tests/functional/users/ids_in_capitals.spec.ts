import { test } from '@japa/runner'
import { v7 as uuidv7 } from 'uuid'
import db from '@adonisjs/lucid/services/db'
import { SYSTEM, userActor } from '#audit/actor'
import { sealPending } from '#audit/chain/sealer'
import { recordAudit } from '#audit/record_audit'
import { listSessions } from '#auth/sessions/sessions'
import { lockUser } from '#users/lock_user'
import { createAdmin, createUser, signedIn } from '#tests/support/fixtures'
import { recordsWhere } from '#tests/support/trail'
import { person } from '../account/person.ts'
import type { ApiClient } from '@japa/api-client'

/** Returns the last event about a user, after the sealer has run. */
async function lastEvent(targetId: string) {
  await sealPending()
  return db.from('audit_events').where('target_id', targetId).orderBy('id', 'desc').firstOrFail()
}

test.group('Ids in capitals | API', () => {
  const ROUTES = [
    { route: 'GET /users/:id', event: null },
    { route: 'PUT /users/:id', event: 'account.updated', body: { username: 'Lovelace' } },
    { route: 'POST /users/:id/unlock', event: 'account.unlocked' },
    { route: 'DELETE /users/:id/sessions', event: 'sessions.ended' },
    { route: 'DELETE /users/:id/sessions/:sessionId', event: 'session.ended' },
    { route: 'DELETE /users/:id', event: 'account.deleted' },
  ]

  async function send(client: ApiClient, route: string, body: object = {}) {
    const [user, admin] = [await createUser(), await createAdmin()]
    const { sessionId } = await signedIn(client, user)
    const { headers } = await signedIn(client, admin)
    await lockUser(user.id, Date.now() + 60_000, SYSTEM)
    const [method, path] = route.split(' ')
    const url = path
      .replace(':id', user.id.toUpperCase())
      .replace(':sessionId', sessionId.toUpperCase())
    const verb = method.toLowerCase() as 'get' | 'put' | 'post' | 'delete'
    const response = await client[verb](url).headers(headers).unsafeJson(body)
    return { user, sessionId, response }
  }

  test('{route} finds the row, and its event is sealed')
    .with(ROUTES)
    .run(async ({ client, assert }, { route, event, body }) => {
      const { user, sessionId, response } = await send(client, route, body)
      assert.include([200, 204], response.status(), JSON.stringify(response.body()))
      const last = await lastEvent(user.id)
      if (event) assert.equal(last.action, event)
      assert.isNotNull(last.sequence)
      if (event === 'session.ended') assert.include(last.details, sessionId)
    })
})

test.group('Ids in capitals | pages', () => {
  test('end a session by an event that is sealed', async ({ client, assert }) => {
    const user = await createUser()
    const { sessionId } = await signedIn(client, user)
    const { browser } = await person({ user: await createAdmin({ isVerified: true }) })
    const path = `/admin/sessions/${user.id}/${sessionId}/end`.toUpperCase()
    const url = path.replace('/ADMIN/SESSIONS', '/admin/sessions').replace(/END$/, 'end')
    const answer = await browser.submit('/admin/sessions', {}, url)
    assert.equal(answer.status, 303)
    assert.isEmpty(await listSessions(user.id))
    const last = await lastEvent(user.id)
    assert.equal(last.action, 'session.ended')
    assert.isNotNull(last.sequence)
  })

  test('filter the audit log', async ({ assert }) => {
    const { id } = await createUser()
    await lockUser(id, Date.now() + 60_000, SYSTEM)
    const { browser } = await person({ user: await createAdmin({ isVerified: true }) })
    const answer = await browser.request(`/admin/audit?account=${id.toUpperCase()}`)
    assert.include(await answer.text(), `/admin/users/${id}`)
  })
})

test.group('Ids in capitals | events', () => {
  const entry = { action: 'account.updated', outcome: 'success' } as const

  test('are recorded as the databases keep them', async ({ assert }) => {
    const { id } = await createUser()
    const from = { ip: '203.0.113.7', userAgent: 'Agent' }
    const actor = userActor(id.toUpperCase(), from)
    const details = { username: { before: 'Ada', after: 'Eve' } }
    const eventId = uuidv7().toUpperCase()
    await db.transaction((trx) =>
      recordAudit({ ...entry, id: eventId, actor, targetId: id.toUpperCase(), details }, trx)
    )
    const { sequence } = await lastEvent(id)
    assert.isNotNull(sequence)
    const [record] = await recordsWhere({ id: eventId.toLowerCase() })
    assert.containsSubset(record, {
      actor: `user:${id}`,
      actorId: id,
      targetId: id,
      ...from,
      details,
    })
  })

  test('of an actor with a long or broken name are sealed', async ({ assert }) => {
    for (const name of [`cli:${'x'.repeat(200)}`, `cli:${'x'.repeat(123)}😀`, 'cli:\ud800']) {
      const { id } = await createUser()
      await db.transaction((trx) =>
        recordAudit({ ...entry, actor: { ...SYSTEM, name }, targetId: id }, trx)
      )
      const { sequence } = await lastEvent(id)
      assert.isNotNull(sequence, name)
    }
  })

  test('with an id that is none are refused', async ({ assert }) => {
    const record = (targetId: string) =>
      db.transaction((trx) => recordAudit({ ...entry, actor: SYSTEM, targetId }, trx))
    await assert.rejects(() => record('ada@example.org'), /names its user by a UUID/)
    await assert.rejects(() => record(''), /names its user by a UUID/)
  })
})
