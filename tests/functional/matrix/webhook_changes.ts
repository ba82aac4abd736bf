import { randomUUID } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import { insertDeliveries } from '#webhooks/deliveries/delivery_rows'
import { newWebhook, removeWebhooks, someUrl, withoutMails } from '#tests/support/webhook_endpoints'
import { send, type Change } from './change_requests.ts'

/* Changes of webhooks, as requests to the API. */

function onWebhook(change: (id: string) => Change | Promise<Change>): Change {
  return async (prover) => {
    await removeWebhooks()
    const { id } = await newWebhook()
    const request = await change(id)
    return withoutMails(() => request(prover))
  }
}

async function someDelivery(webhookId: string) {
  const [eventId, sequence] = [randomUUID(), 1]
  const of = { webhook_id: webhookId, event_id: eventId, sequence, type: 'user.created' }
  await db.transaction((trx) => insertDeliveries([of], Date.now(), trx))
  const row = await db.from('webhook_deliveries').where('event_id', eventId).firstOrFail()
  return row.id as string
}

/** Sorted by time: other tests remove events of the trail, and write events of other times. */
async function lastEvent() {
  const events = db.from('audit_events').where('action', 'webhook.created')
  const row = await events.orderBy('occurred_at', 'desc').orderBy('id', 'desc').firstOrFail()
  return { since: row.id as string }
}

/** Changes that API keys may also make. A user must prove who they are. */
export const WEBHOOK_ADDRESS_CHANGES = {
  'a new webhook': async (prover) => {
    await removeWebhooks()
    const post = send('post', '/webhooks', { url: someUrl(), events: ['*'] })
    return withoutMails(() => post(prover))
  },
  'the address of a webhook': onWebhook((id) => send('put', `/webhooks/${id}`, { url: someUrl() })),
  'another secret of a webhook': onWebhook((id) => send('post', `/webhooks/${id}/rotate-secret`)),
} satisfies Record<string, Change>

export const WEBHOOK_CHANGES = {
  'the name of a webhook': onWebhook((id) =>
    send('put', `/webhooks/${id}`, { name: randomUUID() })
  ),
  'disabling a webhook': onWebhook((id) => send('put', `/webhooks/${id}`, { enabled: false })),
  'testing a webhook': onWebhook((id) => send('post', `/webhooks/${id}/test`)),
  'replaying a webhook': onWebhook(async (id) =>
    send('post', `/webhooks/${id}/replay`, await lastEvent())
  ),
  'retrying a delivery': onWebhook(async (id) =>
    send('post', `/webhooks/${id}/deliveries/${await someDelivery(id)}/retry`)
  ),
  'deleting a webhook': onWebhook((id) => send('delete', `/webhooks/${id}`)),
} satisfies Record<string, Change>
