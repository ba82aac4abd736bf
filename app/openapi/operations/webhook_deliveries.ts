import { E_NOT_FOUND, E_TOO_MANY_REQUESTS } from '#exceptions/http_errors'
import { E_WEBHOOK_DISABLED, unknownSince } from '#webhooks/errors'
import { listDeliveriesValidator, replayWebhookValidator } from '#validators/webhooks'
import { listOf, record, ref } from '../schema.ts'
import { count, message, nextPage } from '../schemas/fields.ts'
import type { Operations } from '../operation.ts'

/** Changes of webhooks, tests and replays share one limit. */
export const tooMany = new E_TOO_MANY_REQUESTS().retryAfter(1_800)

export const deliveryOperations: Operations = {
  'POST /webhooks/:id/test': {
    summary: 'Send a test event',
    description: 'Sent whatever the filters are, even to a disabled webhook.',
    answers: { 202: { description: 'Queued', schema: message('Test queued') } },
    refusals: [E_NOT_FOUND, tooMany],
  },
  'POST /webhooks/:id/replay': {
    summary: 'Send events again',
    description:
      'All events that match the filters, from a time or an event id on. Receivers know a repeated event by its `webhook-id`. The answer counts up to 10,000; 10,001 means more.',
    body: replayWebhookValidator,
    bodyExample: { since: '2026-11-26T08:00:00Z' },
    answers: {
      202: { description: 'How many', schema: record<{ count: number }>({ count }) },
    },
    refusals: [E_NOT_FOUND, E_WEBHOOK_DISABLED, unknownSince(), tooMany],
  },
  'GET /webhooks/:id/deliveries': {
    summary: 'List the deliveries of a webhook',
    description: 'The newest first. They are kept for `WEBHOOK_RETENTION`.',
    query: listDeliveriesValidator,
    answers: {
      200: {
        description: 'Deliveries',
        schema: listOf(ref('WebhookDelivery')),
        headers: nextPage,
      },
    },
    refusals: [E_NOT_FOUND],
  },
  'POST /webhooks/:id/deliveries/:deliveryId/retry': {
    summary: 'Try a delivery again',
    description: 'A pending delivery immediately; any other one as if new.',
    answers: { 202: { description: 'Queued', schema: message('Retry queued') } },
    refusals: [E_NOT_FOUND, E_WEBHOOK_DISABLED, tooMany],
  },
}
