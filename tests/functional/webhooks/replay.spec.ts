import { randomUUID } from 'node:crypto'
import { test, timeTravel } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import audit from '#config/audit'
import webhooks from '#config/webhooks'
import { pauseOutbound, resumeOutbound } from '#backup/outbound_pause'
import { SYSTEM } from '#audit/actor'
import { removeOldEvents } from '#audit/chain/retention'
import { sealPending } from '#audit/chain/sealer'
import { deleteUser } from '#users/delete_user'
import { updateWebhook } from '#webhooks/endpoints'
import { pruneDeliveries } from '#webhooks/prune_deliveries'
import { createAdmin, createUser, signedIn } from '#tests/support/fixtures'
import { withLimits } from '#tests/support/limits'
import { warningsOf } from '#tests/support/refusals'
import {
  deliveriesOf,
  dispatchWebhooks,
  newWebhook,
  receiving,
  someGroup,
  useReceivers,
} from '#tests/support/webhook_endpoints'
import type { ApiClient } from '@japa/api-client'

const DAY_MS = 86_400_000

async function replay(client: ApiClient, id: string, since: unknown) {
  const { headers } = await signedIn(client, await createAdmin())
  return client.post(`/webhooks/${id}/replay`).headers(headers).unsafeJson({ since })
}

async function lastEvent(action = 'group.created') {
  await sealPending()
  return db.from('audit_events').where({ action }).orderBy('id', 'desc').firstOrFail()
}

test.group('Webhook replay', (group) => {
  useReceivers(group)

  test('events are sent again from an event on, itself included', async ({ client, assert }) => {
    const { receiver, webhook } = await receiving()
    await someGroup()
    await someGroup()
    const second = await lastEvent()
    await someGroup()
    await dispatchWebhooks()
    const response = await replay(client, webhook.id, second.id)
    response.assertStatus(202)
    assert.deepEqual(response.body(), { count: 2 })
    await dispatchWebhooks()
    const [, two, three] = receiver.ids
    assert.deepEqual(receiver.ids.slice(3), [two, three])
    assert.lengthOf(await deliveriesOf(webhook.id), 3)
  })

  test('events are sent again from a time on', async ({ client, assert }) => {
    const { receiver, webhook } = await receiving()
    await someGroup()
    await dispatchWebhooks()
    const { occurred_at: at } = await lastEvent()
    const response = await replay(client, webhook.id, new Date(Number(at)).toISOString())
    response.assertStatus(202)
    /** Other tests have moved the clock forward. */
    assert.isAtLeast(response.body().count, 1)
    const later = await replay(client, webhook.id, '2100-01-01T00:00:00Z')
    assert.deepEqual([later.status(), later.body()], [202, { count: 0 }])
    await dispatchWebhooks()
    assert.lengthOf(
      receiver.ids.filter((id) => id === receiver.ids[0]),
      2
    )
  })

  test('what happened while a webhook was disabled is replayed', async ({ client, assert }) => {
    const { receiver, webhook } = await receiving()
    await updateWebhook(webhook.id, { enabled: false }, SYSTEM)
    await someGroup()
    const missed = await lastEvent()
    const refused = await replay(client, webhook.id, missed.id)
    refused.assertStatus(409)
    refused.assertBodyContains({ code: 'E_WEBHOOK_DISABLED' })
    await updateWebhook(webhook.id, { enabled: true }, SYSTEM)
    await replay(client, webhook.id, missed.id)
    await dispatchWebhooks()
    assert.deepEqual(receiver.ids, [missed.id])
  })

  test('since {$self} is refused on its field')
    .with([randomUUID(), 'yesterday', '2026-13-01T00:00:00Z', '2026-01-01', '', 7, null, {}])
    .run(async ({ client, assert }, since) => {
      const { id } = await newWebhook()
      const response = await replay(client, id, since)
      response.assertStatus(400)
      assert.equal(response.body().errors[0].field, 'since')
    })
})

test.group('Webhook retention', (group) => {
  useReceivers(group)
  group.each.setup(() => () => void (audit.retentionMs = null))

  /** A time later than any to which other tests have set the clock. */
  const muchLater = () => Date.now() + 5_000 * DAY_MS

  /** Returns the warnings about a webhook that the removal of old events logs. */
  async function lossesOf({ id }: { id: string }) {
    const lines = await warningsOf(() => removeOldEvents(muchLater()))
    return lines.filter(({ webhookId }) => webhookId === id)
  }

  test('the trail keeps what is not cut yet', async ({ client, assert }) => {
    const { id } = await newWebhook()
    await dispatchWebhooks()
    await someGroup()
    const event = await lastEvent()
    audit.retentionMs = 365 * DAY_MS
    await removeOldEvents(muchLater())
    assert.exists(await db.from('audit_events').where('id', event.id).first())
    await db.from('webhooks').where('id', id).update({ cut_sequence: event.sequence })
    await removeOldEvents(muchLater())
    assert.notExists(await db.from('audit_events').where('id', event.id).first())
    await someGroup()
    const response = await replay(client, id, new Date(Number(event.occurred_at) - 1).toISOString())
    response.assertStatus(400)
  })

  test('the trail keeps the event of a pending delivery', async ({ assert }) => {
    const { receiver, webhook } = await receiving({}, (response) => response.writeHead(500).end())
    await someGroup()
    await dispatchWebhooks()
    const [{ eventId }] = await deliveriesOf(webhook.id)
    const event = () => db.from('audit_events').where('id', eventId).first()
    const { occurred_at: at } = await event()
    audit.retentionMs = muchLater() - Number(at) - DAY_MS
    await removeOldEvents(muchLater())
    assert.exists(await event())
    audit.retentionMs = DAY_MS
    receiver.answer = (response) => response.writeHead(200).end()
    timeTravel('7 seconds')
    await dispatchWebhooks()
    const [{ status }] = await deliveriesOf(webhook.id)
    assert.equal(status, 'delivered')
    await removeOldEvents(muchLater())
    assert.notExists(await event())
  })

  test('a pending delivery keeps its event five days longer', async ({ assert }) => {
    const { webhook } = await receiving({}, (response) => response.writeHead(500).end())
    await someGroup()
    await dispatchWebhooks()
    const [{ eventId }] = await deliveriesOf(webhook.id)
    audit.retentionMs = DAY_MS
    await removeOldEvents(muchLater())
    assert.notExists(await db.from('audit_events').where('id', eventId).first())
  })

  test('what an endpoint has no room for stays five days longer', async ({ assert }) => {
    const { webhook } = await receiving({}, (response) => response.writeHead(500).end())
    await withLimits({ pendingDeliveries: 1 }, async () => {
      await someGroup()
      await dispatchWebhooks()
      await someGroup()
      await dispatchWebhooks()
      const { id, occurred_at: at } = await lastEvent()
      const event = () => db.from('audit_events').where('id', id).first()
      audit.retentionMs = muchLater() - Number(at) - DAY_MS
      assert.isEmpty(await lossesOf(webhook))
      assert.exists(await event())
      audit.retentionMs = DAY_MS
      assert.lengthOf(await lossesOf(webhook), 1)
      assert.notExists(await event())
    })
  })

  test('what no filter names is removed without a warning', async ({ assert }) => {
    const { webhook } = await receiving({}, (response) => response.writeHead(500).end())
    const user = await createUser({ password: null })
    await withLimits({ pendingDeliveries: 1 }, async () => {
      await someGroup()
      await dispatchWebhooks()
      await deleteUser(user.id, SYSTEM)
      const { id } = await lastEvent('account.deleted')
      audit.retentionMs = DAY_MS
      assert.isEmpty(await lossesOf(webhook))
      assert.notExists(await db.from('audit_events').where('id', id).first())
    })
  })

  test('while sending is paused, pending deliveries keep their events', async ({
    assert,
    cleanup,
  }) => {
    const { webhook } = await receiving({}, (response) => response.writeHead(500).end())
    cleanup(() => resumeOutbound(SYSTEM).then(() => {}))
    await someGroup()
    await dispatchWebhooks()
    const [{ eventId }] = await deliveriesOf(webhook.id)
    const event = () => db.from('audit_events').where('id', eventId).first()
    audit.retentionMs = DAY_MS
    await db.transaction((trx) => pauseOutbound(trx, { reason: 'A backup was restored' }))
    await removeOldEvents(muchLater())
    assert.exists(await event())
    await resumeOutbound(SYSTEM)
    await removeOldEvents(muchLater())
    assert.notExists(await event())
  })

  test('old deliveries go, and pending ones stay', async ({ assert }) => {
    const { receiver, webhook } = await receiving()
    await someGroup()
    await dispatchWebhooks()
    receiver.answer = (response) => response.writeHead(500).end()
    await someGroup()
    await dispatchWebhooks()
    await pruneDeliveries(Date.now() + webhooks.retentionMs - 60_000)
    assert.lengthOf(await deliveriesOf(webhook.id), 2)
    await pruneDeliveries(Date.now() + webhooks.retentionMs + 60_000)
    const [delivery, ...others] = await deliveriesOf(webhook.id)
    assert.deepEqual([delivery.status, others], ['pending', []])
  })
})
