import { randomUUID } from 'node:crypto'
import { getActiveTestOrFail } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { SYSTEM } from '#audit/actor'
import { sealPending } from '#audit/chain/sealer'
import { createGroup } from '#groups/groups'
import { Dispatcher } from '#webhooks/dispatch/dispatcher'
import { createWebhook, listDeliveries, type NewWebhook } from '#webhooks/endpoints'
import { deleteDeliveries } from '#webhooks/deliveries/delete_deliveries'
import { Receiver, type Answer } from '#tests/servers/receiver'
import { useLimits, withLimits } from './limits.ts'
import { allowLoopback } from './loopback.ts'
import type { Delivery } from '#webhooks/deliveries/delivery'
import type { Group } from '@japa/runner/core'

/** Returns an address that is never called: the functional tests' process dispatches nothing. */
export const someUrl = () => `https://receiver.example.org/${randomUUID()}`

/** Sends no mails: each webhook would mail the hundreds of administrators of other tests. */
export function withoutMails<Result>(act: () => PromiseLike<Result>) {
  return withLimits({ keyMailRecipients: 0 }, act)
}

export function withMails<Result>(act: () => PromiseLike<Result>) {
  return withLimits({ keyMailRecipients: 20 }, act)
}

export function silenceMails(group: Group) {
  useLimits(group, { keyMailRecipients: 0 })
}

export async function newWebhook(given: Partial<NewWebhook> = {}) {
  const fields = { name: `Webhook ${randomUUID()}`, url: someUrl(), events: ['*'], ...given }
  const { webhook, secret } = await withoutMails(() => createWebhook(fields, SYSTEM))
  return { ...webhook, secret: secret! }
}

/** Removes the webhooks of all tests, because only a few may exist at the same time. */
export async function removeWebhooks() {
  const rows: { id: string }[] = await db.from('webhooks').select('id')
  await db.from('webhooks').delete()
  await db.from('webhook_lanes').delete()
  for (const { id } of rows) await deleteDeliveries(id)
}

/** Seals the events, and sends all that is due, as a server does. */
export async function dispatchWebhooks() {
  await sealPending()
  const dispatcher = new Dispatcher()
  await dispatcher.drain()
  await dispatcher.stop()
}

export async function deliveriesOf(webhookId: string): Promise<Delivery[]> {
  const { deliveries } = await listDeliveries(webhookId)
  return deliveries
}

/** Gives each test its own webhooks, whose receivers may be on the loopback network. */
export function useReceivers(group: Group) {
  group.each.setup(removeWebhooks)
  allowLoopback(group)
}

/** Makes a webhook, and the receiver to which it sends until the test ends. */
export async function receiving(given: Partial<NewWebhook> = {}, answer?: Answer) {
  const receiver = await new Receiver(answer).start()
  getActiveTestOrFail().cleanup(() => receiver.stop())
  const events = ['group.created']
  const webhook = await newWebhook({ url: receiver.url, events, ...given })
  await dispatchWebhooks()
  return { receiver, webhook }
}

export async function someGroup() {
  const { id } = await createGroup({ name: `Staff ${randomUUID()}` }, SYSTEM)
  return id
}
