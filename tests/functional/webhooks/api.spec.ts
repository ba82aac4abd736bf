import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import encryption from '@adonisjs/core/services/encryption'
import { SYSTEM } from '#audit/actor'
import { ENCRYPTED_COLUMNS } from '#setup/encrypted_columns'
import { rotateWebhookSecret } from '#webhooks/endpoints'
import { createAdmin, createUser, keyOf, signedIn } from '#tests/support/fixtures'
import {
  silenceMails,
  newWebhook,
  removeWebhooks,
  someUrl,
  withMails,
} from '#tests/support/webhook_endpoints'
import type { ApiClient } from '@japa/api-client'

async function admin(client: ApiClient) {
  const user = await createAdmin()
  const { headers } = await signedIn(client, user)
  return { user, headers }
}

const UNKNOWN = '01a1fd70-f1c0-7c4b-9d3e-2f8a51c7e604'

test.group('Webhooks API | webhooks', (group) => {
  group.each.setup(removeWebhooks)
  silenceMails(group)

  test('a webhook is made, read, changed and deleted', async ({ client, assert }) => {
    const { headers } = await admin(client)
    const given = { name: 'Billing', url: someUrl(), events: ['user.*', 'session.ended'] }
    const made = await client.post('/webhooks').headers(headers).json(given)
    made.assertStatus(201)
    const { secret, ...webhook } = made.body()
    assert.match(secret, /^whsec_[\w+/]{43}=$/)
    const others = { description: null, enabled: true, disabledReason: null }
    assert.deepEqual(webhook, { id: webhook.id, ...given, ...others })
    const listed = await client.get('/webhooks').headers(headers)
    assert.deepEqual(listed.body(), [webhook])
    const changes = { name: 'Accounts', description: 'Closes accounts', enabled: false }
    const changed = await client.put(`/webhooks/${webhook.id}`).headers(headers).json(changes)
    assert.deepEqual(changed.body(), { ...webhook, ...changes })
    const read = await client.get(`/webhooks/${webhook.id}`).headers(headers)
    assert.deepEqual(read.body(), changed.body())
    const deleted = await client.delete(`/webhooks/${webhook.id}`).headers(headers)
    assert.deepEqual([deleted.status(), deleted.text()], [204, ''])
    const gone = await client.get(`/webhooks/${webhook.id}`).headers(headers)
    gone.assertStatus(404)
  })

  test('a name is the host, with a number where it is taken', async ({ client, assert }) => {
    const { headers } = await admin(client)
    const names: string[] = []
    for (let number = 0; number < 3; number++) {
      const given = { url: someUrl(), events: ['*'] }
      const response = await client.post('/webhooks').headers(headers).json(given)
      names.push(response.body().name)
    }
    const host = 'receiver.example.org'
    assert.deepEqual(names, [host, `${host} 2`, `${host} 3`])
  })

  test('a name of another webhook is refused', async ({ client }) => {
    const { headers } = await admin(client)
    const [one, other] = [await newWebhook(), await newWebhook()]
    const body = { name: one.name, url: someUrl(), events: ['*'] }
    for (const request of [client.post('/webhooks'), client.put(`/webhooks/${other.id}`)]) {
      const response = await request.headers(headers).json(body)
      response.assertStatus(409)
      response.assertBodyContains({ code: 'E_WEBHOOK_EXISTS' })
    }
  })

  test('the webhook beyond the limit is refused', async ({ client }) => {
    const { headers } = await admin(client)
    for (let number = 1; number <= 20; number++) await newWebhook()
    const given = { url: someUrl(), events: ['*'] }
    const response = await client.post('/webhooks').headers(headers).json(given)
    response.assertStatus(409)
    response.assertBodyContains({ code: 'E_WEBHOOK_LIMIT' })
  })

  test('an unknown or malformed id is not found', async ({ client }) => {
    const { headers } = await admin(client)
    for (const id of [UNKNOWN, 'x', '%00', '1e300']) {
      for (const path of [`/webhooks/${id}`, `/webhooks/${id}/deliveries`]) {
        const response = await client.get(path).headers(headers)
        response.assertStatus(404)
      }
      const tested = await client.post(`/webhooks/${id}/test`).headers(headers)
      tested.assertStatus(404)
    }
  })
})

test.group('Webhooks API | refused fields', (group) => {
  group.each.setup(removeWebhooks)
  silenceMails(group)

  test('the address {$self} is refused on its field')
    .with([
      'http://receiver.example.org/',
      'https://127.0.0.1/',
      'https://10.1.2.3/hook',
      'https://[::ffff:169.254.169.254]/',
      'https://169.254.169.254/latest',
      'https://localhost/',
      'https://0x7f.1/',
      'https://user:password@receiver.example.org/',
      'https://receiver.example.org/#part',
      'ftp://receiver.example.org/',
      'javascript:alert(1)',
      'receiver.example.org',
      '',
      7,
      null,
    ])
    .run(async ({ client, assert }, url) => {
      const { headers } = await admin(client)
      const { id } = await newWebhook()
      const body = { url, events: ['*'] }
      const made = await client.post('/webhooks').headers(headers).unsafeJson(body)
      made.assertStatus(400)
      assert.equal(made.body().errors[0].field, 'url')
      if (url === null) return
      const changed = await client.put(`/webhooks/${id}`).headers(headers).unsafeJson(body)
      changed.assertStatus(400)
    })

  test('an address that is sent back unchanged is no change', async ({ client }) => {
    const { headers } = await admin(client)
    const { id } = await newWebhook()
    const url = 'http://10.1.2.3/hook'
    await db.from('webhooks').where('id', id).update({ url })
    const body = { url, description: 'From before' }
    const response = await client.put(`/webhooks/${id}`).headers(headers).json(body)
    response.assertStatus(200)
  })

  test('the filters {$self} are refused on their field')
    .with([[], ['user'], ['user.'], ['*.created'], ['User.*'], ['nobody.*'], 'user.*', [7], {}])
    .run(async ({ client, assert }, events) => {
      const { headers } = await admin(client)
      const body = { url: someUrl(), events }
      const response = await client.post('/webhooks').headers(headers).unsafeJson(body)
      response.assertStatus(400)
      assert.match(response.body().errors[0].field, /^events/)
    })
})

test.group('Webhooks API | secret', (group) => {
  group.each.setup(removeWebhooks)
  silenceMails(group)

  test('the database has no secret in clear', async ({ assert }) => {
    const { id, secret } = await newWebhook()
    const row = await db.from('webhooks').where('id', id).firstOrFail()
    assert.notInclude(JSON.stringify(row), secret.slice('whsec_'.length))
  })

  test('a rotation of APP_KEY finds both secrets', async ({ assert }) => {
    const { id, secret } = await newWebhook()
    const { secret: renewed } = await rotateWebhookSecret(id, SYSTEM)
    const row = await db.from('webhooks').where('id', id).firstOrFail()
    const columns = ENCRYPTED_COLUMNS.filter(({ table }) => table === 'webhooks')
    const found = columns.map(({ column, purposeOf }) =>
      encryption.decrypt(row[column], purposeOf(row))
    )
    assert.sameMembers(found, [secret, renewed])
  })

  test('a rotation gives another secret, once', async ({ client, assert }) => {
    const { headers } = await admin(client)
    const { id, secret } = await newWebhook()
    const rotated = await client.post(`/webhooks/${id}/rotate-secret`).headers(headers)
    rotated.assertStatus(200)
    assert.deepEqual(Object.keys(rotated.body()), ['secret'])
    assert.notEqual(rotated.body().secret, secret)
    const read = await client.get(`/webhooks/${id}`).headers(headers)
    assert.notProperty(read.body(), 'secret')
  })
})

test.group('Webhooks API | callers', (group) => {
  group.each.setup(removeWebhooks)
  silenceMails(group)

  test('a user who is no administrator is refused', async ({ client }) => {
    const { headers } = await signedIn(client, await createUser())
    for (const request of [client.get('/webhooks'), client.post('/webhooks')]) {
      const response = await request.headers(headers)
      response.assertStatus(403)
    }
  })

  test('a key needs audit:read beside webhooks:write', async ({ client, assert }) => {
    const owner = await createAdmin()
    const body = { url: someUrl(), events: ['*'] }
    const statuses: number[] = []
    for (const scopes of [['webhooks:write'], ['webhooks:write', 'audit:read']] as const) {
      const { headers } = await keyOf(owner, [...scopes])
      const response = await client.post('/webhooks').headers(headers).json(body)
      statuses.push(response.status())
    }
    assert.deepEqual(statuses, [403, 201])
  })

  test('administrators are mailed of new and redirected webhooks', async ({ client, assert }) => {
    const { headers } = await admin(client)
    const given = { url: someUrl(), events: ['*'] }
    const made = await newMails(() => client.post('/webhooks').headers(headers).json(given))
    const { id } = await db.from('webhooks').firstOrFail()
    const change = (body: object) => client.put(`/webhooks/${id}`).headers(headers).json(body)
    const redirected = await newMails(() => change({ url: someUrl() }))
    const renamed = await newMails(() => change({ name: randomUUID() }))
    assert.deepEqual(
      [...made, ...redirected, ...renamed],
      ['webhook_created', 'webhook_redirected']
    )
  })
})

/** Returns the kinds of mails that a step queues. */
async function newMails(step: () => PromiseLike<unknown>) {
  const kinds = () => db.from('mails').where('kind', 'like', 'webhook%').orderBy('id')
  const before = await kinds()
  await withMails(step)
  const after = await kinds()
  return [...new Set(after.slice(before.length).map(({ kind }) => kind))]
}
