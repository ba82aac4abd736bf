import { E_INSUFFICIENT_SCOPE } from '#auth/errors'
import { E_MANAGED } from '#configuration/errors'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { E_WEBHOOK_EXISTS, E_WEBHOOK_LIMIT, forbiddenAddress } from '#webhooks/errors'
import { createWebhookValidator, updateWebhookValidator } from '#validators/webhooks'
import { listOf, ref } from '../schema.ts'
import { webhookSecret } from '../schemas/webhook.ts'
import { describeCallbacks } from '../webhooks.ts'
import {
  reauthenticationBody,
  reauthenticationRefusals,
  USER_REAUTHENTICATION,
} from './reauthentication.ts'
import { tooMany } from './webhook_deliveries.ts'
import { done, type Answer, type Operations } from '../operation.ts'

const ADDRESS =
  'The address uses https and is public when it is called; `OUTBOUND_ALLOWED_NETWORKS` allows private ones, with http too.'

const addressRefusals = [...reauthenticationRefusals, E_INSUFFICIENT_SCOPE, forbiddenAddress()]

const webhookAnswer: Answer = { description: 'The webhook', schema: ref('Webhook') }

export const webhookOperations: Operations = {
  'GET /webhooks': {
    summary: 'List the webhooks',
    answers: { 200: { description: 'By name', schema: listOf(ref('Webhook')) } },
  },
  'POST /webhooks': {
    summary: 'Create a webhook',
    description: `It receives the events from now on that a filter names: a type, all types of a subject (\`user.*\`), or everything (\`*\`). By default the name is the host. ${ADDRESS} ${USER_REAUTHENTICATION}`,
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
    description: `The fields that are sent change. Events that happen while a webhook is disabled are not sent; a replay sends them. ${ADDRESS} Another address: ${USER_REAUTHENTICATION}`,
    body: updateWebhookValidator,
    isBodyOptional: true,
    bodyExample: { enabled: false },
    answers: { 200: webhookAnswer },
    refusals: [...addressRefusals, E_NOT_FOUND, E_WEBHOOK_EXISTS, E_MANAGED, tooMany],
  },
  'DELETE /webhooks/:id': {
    summary: 'Delete a webhook',
    answers: { 204: done },
    refusals: [E_NOT_FOUND, E_MANAGED],
  },
  'POST /webhooks/:id/rotate-secret': {
    summary: 'Give a webhook another secret',
    description: `For 24 hours each request is signed with the previous secret too. ${USER_REAUTHENTICATION}`,
    ...reauthenticationBody,
    answers: { 200: { description: 'The secret, once', schema: webhookSecret } },
    refusals: [...reauthenticationRefusals, E_INSUFFICIENT_SCOPE, E_NOT_FOUND, E_MANAGED],
  },
}
