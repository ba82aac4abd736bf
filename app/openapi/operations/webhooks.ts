import { E_INSUFFICIENT_SCOPE } from '#auth/errors'
import { E_MANAGED } from '#configuration/errors'
import { E_NOT_FOUND, E_TOO_MANY_REQUESTS } from '#exceptions/http_errors'
import {
  E_WEBHOOK_DISABLED,
  E_WEBHOOK_EXISTS,
  E_WEBHOOK_LIMIT,
  forbiddenAddress,
  unknownSince,
} from '#webhooks/errors'
import { reauthenticationValidator } from '#validators/auth'
import {
  createWebhookValidator,
  listDeliveriesValidator,
  replayWebhookValidator,
  updateWebhookValidator,
} from '#validators/webhooks'
import { listOf, record, ref } from '../schema.ts'
import { count, message } from '../schemas/fields.ts'
import { webhookSecret } from '../schemas/webhook.ts'
import { describeCallbacks } from '../webhooks.ts'
import { reauthenticationRefusals } from './profile.ts'
import type { Answer, Operations } from '../operation.ts'

const REAUTHENTICATION =
  'A user needs a login of the last ten minutes, or `currentPassword` and, with multi-factor, `code`.'

const ADDRESS =
  'The address is https and public when it is called; `OUTBOUND_ALLOWED_NETWORKS` allows private ones, and http there.'

const tooMany = new E_TOO_MANY_REQUESTS().retryAfter(1_800)

const addressRefusals = [...reauthenticationRefusals, E_INSUFFICIENT_SCOPE, forbiddenAddress()]

const webhookAnswer: Answer = { description: 'The webhook', schema: ref('Webhook') }

export const webhookOperations: Operations = {
  'GET /webhooks': {
    summary: 'List the webhooks',
    answers: { 200: { description: 'By name', schema: listOf(ref('Webhook')) } },
  },
  'POST /webhooks': {
    summary: 'Create a webhook',
    description: `It gets the events that happen from now on and that a filter names: a type, all types of a subject (\`user.*\`), or everything (\`*\`). By default the name is the host. ${ADDRESS} ${REAUTHENTICATION}`,
    body: createWebhookValidator,
    bodyExample: {
      url: 'https://billing.example.org/hooks/gatehouse',
      events: ['user.*', 'session.ended'],
    },
    answers: { 201: { description: 'The webhook, with its secret', schema: ref('NewWebhook') } },
    callbacks: describeCallbacks(),
    refusals: [...addressRefusals, E_WEBHOOK_EXISTS, E_WEBHOOK_LIMIT, tooMany],
  },
  'GET /webhooks/:id': {
    summary: 'Read a webhook',
    answers: { 200: webhookAnswer },
    refusals: [E_NOT_FOUND],
  },
  'PUT /webhooks/:id': {
    summary: 'Change a webhook',
    description: `The fields that are sent change. What happens while a webhook is disabled is not sent; a replay sends it. ${ADDRESS} Another address: ${REAUTHENTICATION}`,
    body: updateWebhookValidator,
    isBodyOptional: true,
    bodyExample: { enabled: false },
    answers: { 200: webhookAnswer },
    refusals: [...addressRefusals, E_NOT_FOUND, E_WEBHOOK_EXISTS, E_MANAGED, tooMany],
  },
  'DELETE /webhooks/:id': {
    summary: 'Delete a webhook',
    answers: { 204: { description: 'Done', schema: {} } },
    refusals: [E_NOT_FOUND, E_MANAGED],
  },
  'POST /webhooks/:id/rotate-secret': {
    summary: 'Give a webhook another secret',
    description: `For 24 hours each request is signed with the previous secret too. ${REAUTHENTICATION}`,
    body: reauthenticationValidator,
    isBodyOptional: true,
    answers: { 200: { description: 'The secret, once', schema: webhookSecret } },
    refusals: [...reauthenticationRefusals, E_INSUFFICIENT_SCOPE, E_NOT_FOUND, E_MANAGED],
  },
}

export const deliveryOperations: Operations = {
  'POST /webhooks/:id/test': {
    summary: 'Send a test event',
    description: 'Whatever the filters are, and to a disabled webhook too.',
    answers: { 202: { description: 'Queued', schema: message('Test queued') } },
    refusals: [E_NOT_FOUND, tooMany],
  },
  'POST /webhooks/:id/replay': {
    summary: 'Send events again',
    description:
      'All that match the filters, from a time or the id of an event on. Receivers know a repeated event by its `webhook-id`.',
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
        headers: { Link: 'The next page, `<…>; rel="next"`, where more follow.' },
      },
    },
    refusals: [E_NOT_FOUND],
  },
  'POST /webhooks/:id/deliveries/:deliveryId/retry': {
    summary: 'Try a delivery again',
    description: 'A pending one at once; any other one as if it was new.',
    answers: { 202: { description: 'Queued', schema: message('Retry queued') } },
    refusals: [E_NOT_FOUND, E_WEBHOOK_DISABLED, tooMany],
  },
}
