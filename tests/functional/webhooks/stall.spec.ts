import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { sealPending } from '#audit/chain/sealer'
import { findDispatchLag, watchDispatch } from '#webhooks/dispatch/stall'
import { pauseOutbound, resumeOutbound } from '#backup/outbound_pause'
import { SYSTEM } from '#audit/actor'
import { createAdmin } from '#tests/support/fixtures'
import {
  deliveriesOf,
  dispatchWebhooks,
  silenceMails,
  newWebhook,
  receiving,
  removeWebhooks,
  someGroup,
  useReceivers,
  withMails,
} from '#tests/support/webhook_endpoints'

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000]

async function countMails() {
  const [{ total }] = await db.from('mails').where('kind', 'webhooks_stalled').count('* as total')
  return Number(total)
}

/** Makes an event for which no dispatcher has made deliveries. */
async function uncutEvent() {
  await newWebhook()
  await dispatchWebhooks()
  await someGroup()
  await sealPending()
}

test.group('Webhooks | standing still', (group) => {
  group.each.setup(removeWebhooks)
  silenceMails(group)
  group.each.setup(async () => {
    await db.from('webhook_state').update({ told_at: 0 })
  })

  test('the lag is 0 while all is cut, and without a webhook', async ({ assert }) => {
    await someGroup()
    await sealPending()
    const without = await findDispatchLag(Date.now() + MINUTE_MS)
    await newWebhook()
    await dispatchWebhooks()
    assert.deepEqual([without, await findDispatchLag(Date.now() + MINUTE_MS)], [0, 0])
  })

  test('the lag is the age of an event that is not cut', async ({ assert }) => {
    await uncutEvent()
    const lag = await findDispatchLag(Date.now() + MINUTE_MS)
    assert.isAtMost(Math.abs(lag - MINUTE_MS), 30_000)
  })

  test('administrators are mailed after five minutes, once a day', async ({ assert }) => {
    await createAdmin()
    await uncutEvent()
    const now = Date.now()
    const [before] = [await countMails()]
    await watchDispatch(now + 4 * MINUTE_MS)
    assert.equal(await countMails(), before)
    await withMails(() => watchDispatch(now + 6 * MINUTE_MS))
    const first = await countMails()
    assert.isAbove(first, before)
    await withMails(() =>
      Promise.all([watchDispatch(now + 7 * MINUTE_MS), watchDispatch(now + 8 * MINUTE_MS)])
    )
    assert.equal(await countMails(), first)
    await withMails(() => watchDispatch(now + DAY_MS + 7 * MINUTE_MS))
    assert.isAbove(await countMails(), first)
  })
})

test.group('Webhooks | outbound pause', (group) => {
  useReceivers(group)

  test('deliveries are cut and rest until outbound resumes', async ({ assert, cleanup }) => {
    const { receiver, webhook } = await receiving()
    cleanup(() => resumeOutbound(SYSTEM).then(() => {}))
    await db.transaction((trx) => pauseOutbound(trx, { reason: 'A backup was restored' }))
    await someGroup()
    await sealPending()
    const { Dispatcher } = await import('#webhooks/dispatch/dispatcher')
    const dispatcher = new Dispatcher()
    await dispatcher.look()
    const [delivery] = await deliveriesOf(webhook.id)
    assert.deepEqual([delivery.status, receiver.requests], ['pending', []])
    await resumeOutbound(SYSTEM)
    await dispatchWebhooks()
    assert.lengthOf(receiver.requests, 1)
  })
})
