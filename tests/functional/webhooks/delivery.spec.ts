import type { ServerResponse } from 'node:http'
import { test, timeTravel } from '@japa/runner'
import { Webhook } from 'standardwebhooks'
import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import { SYSTEM } from '#audit/actor'
import { sealPending } from '#audit/chain/sealer'
import { deleteUser } from '#users/delete_user'
import { lockUser } from '#users/lock_user'
import { cutDeliveries } from '#webhooks/dispatch/cut_deliveries'
import { CHUNK_SIZE } from '#webhooks/dispatch/lane'
import { rotateWebhookSecret, testWebhook, updateWebhook } from '#webhooks/endpoints'
import { createUser } from '#tests/support/fixtures'
import { until } from '#tests/support/waiting'
import {
  deliveriesOf,
  dispatchWebhooks,
  newWebhook,
  receiving,
  someGroup,
  useReceivers,
} from '#tests/support/webhook_endpoints'
import type { ReceivedRequest } from '#tests/servers/receiver'

function verified(secret: string, { body, headers }: ReceivedRequest) {
  return new Webhook(secret).verify(body, headers as Record<string, string>) as any
}

test.group('Webhook delivery', (group) => {
  useReceivers(group)

  test('an event arrives, signed under the id of the event', async ({ assert }) => {
    const { receiver, webhook } = await receiving()
    const groupId = await someGroup()
    await dispatchWebhooks()
    const event = await db
      .from('audit_events')
      .where('action', 'group.created')
      .orderBy('id', 'desc')
    const [request] = receiver.requests
    const body = verified(webhook.secret, request)
    assert.equal(request.headers['webhook-id'], event[0].id)
    assert.equal(request.headers['content-type'], 'application/json')
    const { type, data } = body
    assert.deepEqual(
      [type, data.group.id, data.sequence],
      ['group.created', groupId, Number(event[0].sequence)]
    )
    const [delivery] = await deliveriesOf(webhook.id)
    assert.containSubset(delivery, { status: 'delivered', attempts: 1, responseStatus: 204 })
  })

  test('a webhook gets what its filters name', async ({ assert }) => {
    const { receiver } = await receiving({ events: ['user.*'] })
    await someGroup()
    const user = await createUser({ password: null })
    await deleteUser(user.id, SYSTEM)
    await dispatchWebhooks()
    assert.deepEqual(receiver.types, ['user.deleted'])
  })

  test('events from before a webhook was made are not sent', async ({ assert }) => {
    await someGroup()
    const { receiver, webhook } = await receiving()
    assert.lengthOf(receiver.requests, 0)
    await updateWebhook(webhook.id, { enabled: false }, SYSTEM)
    await someGroup()
    await updateWebhook(webhook.id, { enabled: true }, SYSTEM)
    await someGroup()
    await dispatchWebhooks()
    assert.lengthOf(receiver.requests, 1)
  })

  test('tries begin in the order of the trail', async ({ assert, cleanup }) => {
    const { receiver } = await receiving()
    const { deliveriesAtOnce } = limits
    cleanup(() => void Object.assign(limits, { deliveriesAtOnce }))
    /** Two concurrent requests may arrive in another order than they began. */
    Object.assign(limits, { deliveriesAtOnce: 1 })
    for (let number = 0; number < CHUNK_SIZE + 10; number++) await someGroup()
    await dispatchWebhooks()
    const sequences = receiver.requests.map(({ body }) => JSON.parse(body).data.sequence)
    assert.lengthOf(sequences, CHUNK_SIZE + 10)
    assert.deepEqual(
      sequences,
      sequences.toSorted((one, other) => one - other)
    )
  })

  test('a delivery does not wait for the answer to another', async ({ assert }) => {
    const waiting: ServerResponse[] = []
    const { receiver, webhook } = await receiving({}, (response) => {
      if (waiting.length === 0) return void waiting.push(response)
      response.writeHead(204).end()
    })
    await someGroup()
    const dispatching = dispatchWebhooks()
    await until(() => receiver.requests.length === 1)
    for (let count = 0; count < 3; count++) await someGroup()
    await sealPending()
    await cutDeliveries()
    await until(() => receiver.requests.length === 4)
    waiting[0].writeHead(204).end()
    await dispatching
    const deliveries = await deliveriesOf(webhook.id)
    assert.deepEqual(
      deliveries.map(({ status, attempts }) => [status, attempts]),
      Array.from({ length: 4 }, () => ['delivered', 1])
    )
    assert.lengthOf(receiver.requests, 4)
  })

  test('a rotated secret signs beside the previous one for a day', async ({ assert }) => {
    const { receiver, webhook } = await receiving()
    const { secret } = await rotateWebhookSecret(webhook.id, SYSTEM)
    await someGroup()
    await dispatchWebhooks()
    timeTravel('25 hours')
    await someGroup()
    await dispatchWebhooks()
    const [first, second] = receiver.requests
    const counts = [first, second].map(({ headers }) =>
      `${headers['webhook-signature']}`.split(' ')
    )
    assert.deepEqual(
      counts.map(({ length }) => length),
      [2, 1]
    )
    assert.doesNotThrow(() => verified(secret, second))
  })

  test('a test is sent to a disabled webhook too', async ({ assert }) => {
    const { receiver, webhook } = await receiving({ enabled: false })
    await testWebhook(webhook.id, SYSTEM)
    await someGroup()
    await dispatchWebhooks()
    assert.deepEqual(receiver.types, ['webhook.test'])
    assert.equal(JSON.parse(receiver.requests[0].body).data.webhookId, webhook.id)
  })

  test('an erased user is an id in later tries', async ({ assert }) => {
    const { receiver } = await receiving({ events: ['user.locked'] }, (response) =>
      response.writeHead(500).end()
    )
    const user = await createUser({ password: null })
    await lockUser(user.id, Date.now() + 60_000, SYSTEM)
    await dispatchWebhooks()
    await deleteUser(user.id, SYSTEM)
    timeTravel('10 seconds')
    await dispatchWebhooks()
    const [first, second] = receiver.requests
    assert.include(first.body, user.email)
    assert.deepEqual(JSON.parse(second.body).data.user, { id: user.id })
    assert.equal(second.headers['webhook-id'], first.headers['webhook-id'])
  })
})

test.group('Webhook delivery | cursor', (group) => {
  useReceivers(group)

  test('a cursor beyond the head goes to the head', async ({ assert }) => {
    const { receiver, webhook } = await receiving()
    await db.from('webhooks').where('id', webhook.id).update({ cut_sequence: 9_000_000 })
    await dispatchWebhooks()
    await someGroup()
    await dispatchWebhooks()
    assert.lengthOf(receiver.requests, 1)
  })

  test('a restored webhook begins at the head', async ({ assert }) => {
    const { receiver, webhook } = await receiving()
    await someGroup()
    await sealPending()
    const nothing = { cut_sequence: null, starts_with: null }
    await db.from('webhooks').where('id', webhook.id).update(nothing)
    await dispatchWebhooks()
    await someGroup()
    await dispatchWebhooks()
    assert.lengthOf(receiver.requests, 1)
  })

  test('two dispatchers at once cut and send each event once', async ({ assert }) => {
    const { receiver, webhook } = await receiving()
    for (let number = 0; number < 30; number++) await someGroup()
    await Promise.all([dispatchWebhooks(), dispatchWebhooks(), dispatchWebhooks()])
    assert.lengthOf(new Set(receiver.ids), 30)
    assert.lengthOf(receiver.ids, 30)
    assert.lengthOf(await deliveriesOf(webhook.id), 30)
  })

  test('no webhook means no delivery', async ({ assert }) => {
    await newWebhook({ enabled: false })
    await someGroup()
    await dispatchWebhooks()
    const [{ total }] = await db.from('webhook_deliveries').count('* as total')
    assert.equal(Number(total), 0)
  })
})
