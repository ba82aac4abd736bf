import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import { SYSTEM } from '#audit/actor'
import { sealPending } from '#audit/chain/sealer'
import { createGroup } from '#groups/groups'
import { postOutbound } from '#network/outbound_post'
import { cutDeliveries } from '#webhooks/dispatch/cut_deliveries'
import { createAdmin, keyOf, signedIn } from '#tests/support/fixtures'
import { Receiver } from '#tests/servers/receiver'
import { until } from '#tests/support/waiting'
import { withLoopback } from '#tests/support/loopback'
import {
  dispatchWebhooks,
  newWebhook,
  receiving,
  removeWebhooks,
  someGroup,
  someUrl,
  withoutMails,
} from '#tests/support/webhook_endpoints'
import { isAnswered, type LimitRow } from './limits.ts'
import type { ApiClient } from '@japa/api-client'

async function adminHeaders(client: ApiClient) {
  const { headers } = await signedIn(client, await createAdmin())
  return headers
}

/** Sends requests of one administrator about one webhook. */
function aboutWebhook(path: (id: string) => Promise<string> | string, body = {}) {
  return async (count: number, client: ApiClient) => {
    await removeWebhooks()
    const [headers, { id }] = [await adminHeaders(client), await newWebhook()]
    const target = await path(id)
    return isAnswered(count, () => client.post(target).headers(headers).json(body))
  }
}

async function deliveryOf(webhookId: string) {
  const { testWebhook } = await import('#webhooks/endpoints')
  await testWebhook(webhookId, SYSTEM)
  const { id } = await db.from('webhook_deliveries').where('webhook_id', webhookId).firstOrFail()
  return id as string
}

async function countPending(webhookId: string) {
  const of = { webhook_id: webhookId, status: 'pending' }
  const [{ total }] = await db.from('webhook_deliveries').where(of).count('* as total')
  return Number(total)
}

async function areCut(count: number) {
  await removeWebhooks()
  await sealPending()
  const { id } = await newWebhook({ events: ['group.created'] })
  for (let number = 1; number <= count; number++) {
    await createGroup({ name: `Staff ${number} ${id}` }, SYSTEM)
    await sealPending()
    await cutDeliveries()
  }
  return (await countPending(id)) === count
}

/** Returns whether this many requests are open at the same time while none is answered. */
async function areSentAtOnce(count: number) {
  await removeWebhooks()
  return withLoopback(async () => {
    const hanging: ServerResponse[] = []
    const { receiver } = await receiving({}, (response) => void hanging.push(response))
    for (let number = 1; number <= count; number++) await someGroup()
    const dispatched = dispatchWebhooks()
    await until(() => receiver.open >= Math.min(count, limits.deliveriesAtOnce))
    await sleep(SILENCE_MS)
    const isAllowed = receiver.open === count
    receiver.answer = (response) => response.end()
    for (const response of hanging) response.end()
    await dispatched
    return isAllowed
  })
}

async function areWebhookChanges(
  count: number,
  client: ApiClient,
  headers: Record<string, string>
) {
  await removeWebhooks()
  const { id } = await newWebhook()
  const changes = [{ url: someUrl() }, { enabled: true }]
  const put = () => {
    changes.push(changes.shift()!)
    return client.put(`/webhooks/${id}`).headers(headers).json(changes[0])
  }
  return isAnswered(count, () => withoutMails(put))
}

/** Long enough to send one more request. */
const SILENCE_MS = 100

export const WEBHOOK_LIMITS = {
  webhooks: {
    lowered: 2,
    isAllowed: async (count, client) => {
      await removeWebhooks()
      const headers = await adminHeaders(client)
      let status = 201
      for (let number = 1; number <= count; number++) {
        const given = { url: someUrl(), events: ['*'] }
        const request = client.post('/webhooks').headers(headers)
        const response = await withoutMails(() => request.json(given))
        status = response.status()
      }
      return status === 201
    },
  },
  webhookUrl: {
    isAllowed: async (count, client) => {
      await removeWebhooks()
      const url = 'https://receiver.example.org/'.padEnd(count, 'x')
      const headers = await adminHeaders(client)
      const request = client.post('/webhooks').headers(headers)
      const response = await withoutMails(() => request.json({ url, events: ['*'] }))
      return response.status() === 201
    },
  },
  webhookChanges: {
    lowered: 2,
    isAllowed: async (count, client) => {
      const scopes = ['webhooks:read', 'webhooks:write', 'audit:read'] as const
      const { headers } = await keyOf(await createAdmin(), [...scopes])
      return areWebhookChanges(count, client, headers)
    },
  },
  ownWebhookChanges: {
    lowered: 2,
    isAllowed: async (count, client) =>
      areWebhookChanges(count, client, await adminHeaders(client)),
  },
  webhookTests: { lowered: 2, isAllowed: aboutWebhook((id) => `/webhooks/${id}/test`) },
  webhookReplays: {
    lowered: 2,
    isAllowed: aboutWebhook((id) => `/webhooks/${id}/replay`, { since: '2100-01-01T00:00:00Z' }),
  },
  callerReplays: {
    lowered: 2,
    isAllowed: async (count, client) => {
      await removeWebhooks()
      const [headers, made] = [await adminHeaders(client), [await newWebhook(), await newWebhook()]]
      const since = '2100-01-01T00:00:00Z'
      return isAnswered(count, (number) =>
        client
          .post(`/webhooks/${made[number % 2].id}/replay`)
          .headers(headers)
          .json({ since })
      )
    },
  },
  replayCount: {
    lowered: 2,
    isAllowed: async (count, client) => {
      await removeWebhooks()
      const [headers, { id }] = [
        await adminHeaders(client),
        await newWebhook({ events: ['group.created'] }),
      ]
      for (let number = 0; number < count + 1; number++) await someGroup()
      await sealPending()
      const created = db.from('audit_events').where('action', 'group.created')
      const events = await created.orderBy('sequence', 'desc').limit(count + 1)
      const counted = async (since: string) => {
        const response = await client
          .post(`/webhooks/${id}/replay`)
          .headers(headers)
          .json({ since })
        return response.body().count as number
      }
      const [fewer, more] = [await counted(events[count - 1].id), await counted(events[count].id)]
      return fewer === count && more === count + 1
    },
  },
  webhookRetries: {
    lowered: 2,
    isAllowed: aboutWebhook(
      async (id) => `/webhooks/${id}/deliveries/${await deliveryOf(id)}/retry`
    ),
  },
  pendingDeliveries: { lowered: 2, isAllowed: areCut },
  deliveryPage: {
    isAllowed: async (count, client) => {
      await removeWebhooks()
      const [headers, { id }] = [await adminHeaders(client), await newWebhook()]
      const request = client.get(`/webhooks/${id}/deliveries`).headers(headers)
      const response = await request.qs({ limit: count })
      return response.status() === 200
    },
  },
  delivery: {
    isAllowed: async (count) => {
      const receiver = await new Receiver((response) => response.end('x'.repeat(count))).start()
      const post = { headers: {}, body: '{}', ...limits.delivery }
      const answer = await withLoopback(() => postOutbound(new URL(receiver.url), post))
      await receiver.stop()
      return answer.isWhole
    },
  },
  deliveriesAtOnce: { isAllowed: areSentAtOnce },
} satisfies Record<string, LimitRow>
