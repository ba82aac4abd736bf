import { test, timeTravel } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { WebhooksCheck } from '#health/checks/webhooks_check'
import { SYSTEM } from '#audit/actor'
import { sealPending } from '#audit/chain/sealer'
import { cutDeliveries } from '#webhooks/dispatch/cut_deliveries'
import { retryDelivery, testWebhook, updateWebhook } from '#webhooks/endpoints'
import { Endpoint } from '#webhooks/dispatch/endpoint'
import { sendMessage } from '#webhooks/dispatch/send_message'
import { findWebhookRow, getWebhookOrFail } from '#webhooks/webhook_rows'
import { createAdmin } from '#tests/support/fixtures'
import { recordsWhere } from '#tests/support/trail'
import {
  deliveriesOf,
  dispatchWebhooks,
  silenceMails,
  receiving,
  someGroup,
  someUrl,
  useReceivers,
  withMails,
} from '#tests/support/webhook_endpoints'
import type { Answer } from '#tests/servers/receiver'
import type { DeliveryRow } from '#webhooks/deliveries/delivery'

const DAY_MS = 86_400_000

const answering =
  (status: number): Answer =>
  (response) =>
    response.writeHead(status).end('x')

async function countMails(kind: string) {
  const [{ total }] = await db.from('mails').where('kind', kind).count('* as total')
  return Number(total)
}

test.group('Webhook failures | tries', (group) => {
  useReceivers(group)
  silenceMails(group)

  test('a failed try is repeated after about five seconds', async ({ assert }) => {
    const { receiver, webhook } = await receiving({}, answering(503))
    await someGroup()
    const begin = Date.now()
    await dispatchWebhooks()
    const [delivery] = await deliveriesOf(webhook.id)
    const { status, attempts, responseStatus, error } = delivery
    assert.deepEqual([status, attempts, responseStatus, error], ['pending', 1, 503, 'status'])
    assert.isAtLeast(delivery.nextAttemptAt! - begin, 4_000)
    assert.isAtMost(delivery.nextAttemptAt! - Date.now(), 6_000)
    receiver.answer = answering(200)
    timeTravel('7 seconds')
    await dispatchWebhooks()
    const [after] = await deliveriesOf(webhook.id)
    assert.containSubset(after, { status: 'delivered', attempts: 2, error: null })
    assert.isNull(after.nextAttemptAt)
  })

  test('a delivery has failed after ten tries', async ({ assert }) => {
    const { webhook } = await receiving({}, answering(500))
    await someGroup()
    const statuses: string[] = []
    for (let number = 1; number <= 10; number++) {
      await dispatchWebhooks()
      const [{ status, attempts }] = await deliveriesOf(webhook.id)
      statuses.push(`${attempts} ${status}`)
      timeTravel('30 hours')
      await db.from('webhooks').update({ first_failure_at: null })
    }
    assert.deepEqual(
      statuses,
      Array.from({ length: 10 }, (_, at) => `${at + 1} ${at === 9 ? 'failed' : 'pending'}`)
    )
  })

  test('a retry sends at once', async ({ assert }) => {
    const { receiver, webhook } = await receiving({}, answering(500))
    await someGroup()
    await dispatchWebhooks()
    const [{ id }] = await deliveriesOf(webhook.id)
    receiver.answer = answering(200)
    await retryDelivery(webhook.id, id, SYSTEM)
    await dispatchWebhooks()
    const [delivery] = await deliveriesOf(webhook.id)
    assert.containSubset(delivery, { id, status: 'delivered', attempts: 2 })
    await retryDelivery(webhook.id, id, SYSTEM)
    await dispatchWebhooks()
    assert.lengthOf(receiver.requests, 3)
  })

  test('what could not be sent for {error} is {status} then')
    .with([
      { error: 'internal' as const, status: 'pending', attempts: 1 },
      { error: 'event_removed' as const, status: 'failed', attempts: 0 },
    ])
    .run(async ({ assert }, { error, ...expected }) => {
      const { receiver, webhook } = await receiving()
      await someGroup()
      await sealPending()
      await cutDeliveries()
      const delivery: DeliveryRow = await db
        .from('webhook_deliveries')
        .where('webhook_id', webhook.id)
        .firstOrFail()
      const row = await findWebhookRow(webhook.id)
      const outcome = await sendMessage(new Endpoint(row!), { delivery, body: { error } })
      assert.containSubset(outcome, { ...expected, error, response_status: null })
      assert.equal(outcome.next_attempt_at === null, expected.status === 'failed')
      assert.lengthOf(receiver.requests, 0)
    })

  test('a redirect is not followed', async ({ assert }) => {
    const target = await receiving({ enabled: false })
    const { webhook } = await receiving({}, (response) =>
      response.writeHead(302, { location: target.receiver.url }).end()
    )
    await someGroup()
    await dispatchWebhooks()
    const [delivery] = await deliveriesOf(webhook.id)
    assert.containSubset(delivery, { status: 'pending', responseStatus: 302, error: 'redirect' })
    assert.lengthOf(target.receiver.requests, 0)
  })
})

test.group('Webhook failures | disabling', (group) => {
  useReceivers(group)
  silenceMails(group)

  test('410 disables a webhook and mails administrators', async ({ assert }) => {
    const { receiver, webhook } = await receiving({}, answering(410))
    await createAdmin()
    const mails = await countMails('webhook_disabled')
    await someGroup()
    await withMails(dispatchWebhooks)
    await someGroup()
    await dispatchWebhooks()
    const { enabled, disabledReason } = await getWebhookOrFail(webhook.id)
    assert.deepEqual([enabled, disabledReason], [false, 'gone'])
    assert.lengthOf(receiver.requests, 1)
    const [delivery] = await deliveriesOf(webhook.id)
    assert.deepEqual([delivery.status, delivery.error], ['failed', 'gone'])
    assert.isAbove(await countMails('webhook_disabled'), mails)
    const events = await recordsWhere({ action: 'webhook.disabled' })
    assert.containSubset(events.at(-1)!.details, { webhookId: webhook.id, reason: 'gone' })
  })

  test('five days of failures disable it: pending ones have failed', async ({ assert }) => {
    const { webhook } = await receiving({}, answering(500))
    await someGroup()
    await dispatchWebhooks()
    timeTravel(5 * DAY_MS - 60_000)
    await someGroup()
    await dispatchWebhooks()
    const before = await getWebhookOrFail(webhook.id)
    timeTravel(120_000)
    await someGroup()
    await dispatchWebhooks()
    const after = await getWebhookOrFail(webhook.id)
    assert.deepEqual([before.enabled, after.enabled], [true, false])
    assert.equal(after.disabledReason, 'failing')
    const deliveries = await deliveriesOf(webhook.id)
    assert.isFalse(deliveries.some(({ status }) => status === 'pending'))
  })

  test('a success between begins the five days anew', async ({ assert }) => {
    const { receiver, webhook } = await receiving({}, answering(500))
    for (const status of [500, 200, 500]) {
      receiver.answer = answering(status)
      await someGroup()
      await dispatchWebhooks()
      timeTravel(4 * DAY_MS)
    }
    const { enabled } = await getWebhookOrFail(webhook.id)
    assert.isTrue(enabled)
  })

  test('410 of the previous address disables no webhook', async ({ assert }) => {
    const { receiver, webhook } = await receiving()
    receiver.answer = async (response) => {
      await updateWebhook(webhook.id, { url: someUrl() }, SYSTEM)
      response.writeHead(410).end('x')
    }
    await someGroup()
    await dispatchWebhooks()
    const { enabled, failingSince } = await getWebhookOrFail(webhook.id)
    assert.deepEqual([enabled, failingSince], [true, null])
  })

  test('another address begins the five days anew', async ({ assert }) => {
    const { receiver, webhook } = await receiving({}, answering(500))
    await someGroup()
    await dispatchWebhooks()
    const { failingSince } = await getWebhookOrFail(webhook.id)
    assert.isNotNull(failingSince)
    const moved = await updateWebhook(webhook.id, { url: `${receiver.url}?v=2` }, SYSTEM)
    assert.isNull(moved.failingSince)
  })

  test('an enabled webhook has no failures', async ({ assert }) => {
    const { webhook } = await receiving({}, answering(410))
    await testWebhook(webhook.id, SYSTEM)
    await dispatchWebhooks()
    const { enabled, disabledReason, failingSince } = await updateWebhook(
      webhook.id,
      { enabled: true },
      SYSTEM
    )
    assert.deepEqual([enabled, disabledReason, failingSince], [true, null, null])
  })
})

test.group('Webhook failures | doctor', (group) => {
  useReceivers(group)
  silenceMails(group)

  test('doctor warns of a receiver that has failed for five minutes', async ({ assert }) => {
    const { receiver, webhook } = await receiving({}, answering(500))
    await someGroup()
    await dispatchWebhooks()
    timeTravel(5 * 60_000 - 5_000)
    const { status: soon } = await new WebhooksCheck().run()
    timeTravel(10_000)
    const { status, message, meta } = await new WebhooksCheck().run()
    assert.deepEqual([soon, status], ['ok', 'warning'])
    assert.include(message, webhook.name)
    assert.include(meta.remedy, 'webhook:show')
    receiver.answer = answering(200)
    await dispatchWebhooks()
    const { status: after } = await new WebhooksCheck().run()
    assert.equal(after, 'ok')
  })

  test('doctor warns of a webhook whose receiver is gone', async ({ assert }) => {
    const { webhook } = await receiving({}, answering(410))
    await receiving({ enabled: false })
    await someGroup()
    await dispatchWebhooks()
    const { status, message } = await new WebhooksCheck().run()
    assert.deepEqual([status, message], ['warning', `deliveries to “${webhook.name}” fail`])
  })
})
