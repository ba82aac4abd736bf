import { test } from '@japa/runner'
import { growthOf, metric } from '#tests/support/metrics'
import {
  dispatchWebhooks,
  receiving,
  removeWebhooks,
  someGroup,
  useReceivers,
} from '#tests/support/webhook_endpoints'

const deliveries = (outcome: string) => `gatehouse_webhook_deliveries_total{outcome="${outcome}"}`
const jobs = (state: string) => `gatehouse_jobs{queue="webhooks",state="${state}"}`

test.group('Webhook metrics', (group) => {
  useReceivers(group)
  group.each.teardown(removeWebhooks)

  test('a delivery that arrived counts, and nothing waits', async ({ assert }) => {
    await receiving()
    await someGroup()
    assert.equal(await growthOf(deliveries('delivered'), dispatchWebhooks), 1)
    assert.equal(await metric(jobs('pending')), 0)
    assert.equal(await metric('gatehouse_webhook_oldest_pending_seconds'), 0)
    assert.equal(await metric('gatehouse_webhook_dispatch_lag_seconds'), 0)
  })

  test('a failed try is deferred, and waits', async ({ assert }) => {
    await receiving({}, (response) => response.writeHead(503).end())
    await someGroup()
    assert.equal(await growthOf(deliveries('deferred'), dispatchWebhooks), 1)
    assert.equal(await metric(jobs('delayed')), 1)
    assert.isAbove((await metric('gatehouse_webhook_oldest_pending_seconds'))!, 0)
  })
})
