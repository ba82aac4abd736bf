import db from '@adonisjs/lucid/services/db'
import { userActor } from '#audit/actor'
import {
  createWebhook,
  deleteWebhook,
  replayWebhook,
  retryDelivery,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from '#webhooks/endpoints'
import { removeWebhooks, someUrl, withoutMails } from '#tests/support/webhook_endpoints'
import type { Actor } from '#audit/actor'
import type { EventRow, Scene } from './events.ts'

const byAdmin = ({ admin }: Scene): Actor => ({
  ...userActor(admin.id, { ip: '203.0.113.9', userAgent: null }),
  hasRecentAuthentication: true,
})

const about = { actor: 'administrator', target: 'nobody', outcome: 'success', mails: [] } as const

/** An event that a change of a newly made webhook causes. */
function causedBy(change: (id: string, actor: Actor) => Promise<unknown>): EventRow {
  return {
    ...about,
    cause: async (scene) => {
      await removeWebhooks()
      const actor = byAdmin(scene)
      const given = { url: someUrl(), events: ['*'] }
      const { webhook } = await withoutMails(() => createWebhook(given, actor))
      await change(webhook.id, actor)
    },
  }
}

export const WEBHOOK_EVENTS = {
  'webhook.created': causedBy(async () => {}),
  'webhook.updated': causedBy((id, actor) => updateWebhook(id, { name: 'Billing' }, actor)),
  'webhook.secret_rotated': causedBy((id, actor) => rotateWebhookSecret(id, actor)),
  'webhook.tested': causedBy((id, actor) => testWebhook(id, actor)),
  'webhook.replayed': causedBy((id, actor) => replayWebhook(id, { time: Date.now() }, actor)),
  'webhook.delivery_retried': causedBy(async (id, actor) => {
    await testWebhook(id, actor)
    const delivery = await db.from('webhook_deliveries').where('webhook_id', id).firstOrFail()
    await retryDelivery(id, delivery.id, actor)
  }),
  'webhook.deleted': causedBy((id, actor) => deleteWebhook(id, actor)),
} satisfies Record<string, EventRow>
