import { test } from '@japa/runner'
import { v7 as uuidv7 } from 'uuid'
import db from '@adonisjs/lucid/services/db'
import { SYSTEM } from '#audit/actor'
import { sealPending } from '#audit/chain/sealer'
import { BATCH_SIZE } from '#database/batches'
import { failPending, insertDeliveries } from '#webhooks/deliveries/delivery_rows'
import { cutDeliveries, cutBatch } from '#webhooks/dispatch/cut_deliveries'
import { pruneDeliveries } from '#webhooks/prune_deliveries'
import { updateWebhook } from '#webhooks/endpoints'
import { turnsDuring } from '#tests/support/event_loop'
import {
  deliveriesOf,
  dispatchWebhooks,
  newWebhook,
  removeWebhooks,
  silenceMails,
  someGroup,
} from '#tests/support/webhook_endpoints'

const BATCHES = 4

/** Makes a webhook with `count` pending deliveries. */
async function pendingWebhook(count: number) {
  const { id } = await newWebhook()
  const deliveries = Array.from({ length: count }, (_, index) => {
    return { webhook_id: id, event_id: uuidv7(), sequence: index + 1, type: 'group.created' }
  })
  for (let at = 0; at < count; at += BATCH_SIZE)
    await db.transaction((trx) =>
      insertDeliveries(deliveries.slice(at, at + BATCH_SIZE), Date.now(), trx)
    )
  return id
}

/** Leaves the state of a process that was killed after the commit. */
function disableAlone(id: string) {
  return db.from('webhooks').where('id', id).update({ disabled_at: Date.now() })
}

async function countPending(id: string) {
  const pending = db.from('webhook_deliveries').where({ webhook_id: id, status: 'pending' })
  const [{ total }] = await pending.count('* as total')
  return Number(total)
}

test.group('Webhooks | long work', (group) => {
  group.each.setup(removeWebhooks)
  silenceMails(group)

  test('what is pending at a disabling fails in batches', async ({ assert }) => {
    const id = await pendingWebhook(BATCHES * BATCH_SIZE)
    await disableAlone(id)
    assert.isAtLeast(await turnsDuring(() => failPending(id)), BATCHES)
    assert.equal(await countPending(id), 0)
  })

  test('an administrator who disables a webhook sees all as failed', async ({ assert }) => {
    const id = await pendingWebhook(BATCH_SIZE + 1)
    await updateWebhook(id, { enabled: false }, SYSTEM)
    assert.equal(await countPending(id), 0)
    const [{ status, error, nextAttemptAt }] = await deliveriesOf(id)
    assert.deepEqual([status, error, nextAttemptAt], ['failed', 'disabled', null])
  })

  test('pruning finishes what a killed process left', async ({ assert }) => {
    const [disabled, enabled] = [await pendingWebhook(3), await pendingWebhook(3)]
    await disableAlone(disabled)
    await pruneDeliveries(Date.now())
    assert.deepEqual([await countPending(disabled), await countPending(enabled)], [0, 3])
  })

  test('a batch has no more deliveries for many webhooks', async ({ assert }) => {
    const count = 4
    for (let number = 0; number < count; number++) await newWebhook({ events: ['group.created'] })
    await dispatchWebhooks()
    for (let number = 0; number < BATCH_SIZE / count + 1; number++) await someGroup()
    await sealPending()
    const first = await cutBatch()
    assert.isAtMost(first.deliveries, BATCH_SIZE)
    assert.isTrue(first.hasMore)
    await cutDeliveries()
    const [{ total }] = await db.from('webhook_deliveries').count('* as total')
    assert.equal(Number(total), BATCH_SIZE + count)
  })

  test('a webhook that is enabled again sends no earlier events', async ({ assert }) => {
    const id = await pendingWebhook(3)
    await disableAlone(id)
    await updateWebhook(id, { enabled: true }, SYSTEM)
    assert.equal(await countPending(id), 0)
  })
})
