import {
  DELIVERY_ERRORS,
  DELIVERY_STATUSES,
  type DeliveryRecord,
} from '#webhooks/deliveries/delivery'
import type { WebhookRecord } from '#webhooks/webhook'
import { EVENT_ID } from '../examples.ts'
import { listOf, record } from '../schema.ts'
import { count, instant, instantOrNull, text, textOrNull, uuid, yesNo } from './fields.ts'

const fields = {
  id: { ...uuid, example: '01a1fd70-f1c0-7e11-9c62-5d0b7f3a8c94' },
  name: { ...text, example: 'billing.example.org' },
  url: { ...text, example: 'https://billing.example.org/hooks/gatehouse' },
  events: { ...listOf(text), example: ['user.*', 'session.ended'] },
  description: { ...textOrNull, example: 'Closes the accounts of people who leave' },
  enabled: yesNo,
  disabledReason: {
    ...textOrNull,
    enum: ['gone', 'failing', null],
    description:
      'Why the product disabled it: the endpoint answered 410 (`gone`), or failed for five days. Null if an administrator did.',
  },
}

export const webhook = record<WebhookRecord>(fields)

const secret = {
  ...text,
  description: 'Shown once. Receivers verify the signature with it.',
  example: 'whsec_8mZ2nQ4vXkT7bLc0sHd9fGj4pUe6aRi3oKqVxWE1yTI=',
}

export const newWebhook = record<WebhookRecord & { secret: string }>({ ...fields, secret })

export const webhookSecret = record<{ secret: string }>({ secret })

export const webhookDelivery = record<DeliveryRecord>({
  id: { ...uuid, example: '01a1fd70-f1c0-7b52-8f04-1c9d6e2a7b83' },
  eventId: { ...uuid, example: EVENT_ID, description: 'The `webhook-id` of each try.' },
  type: { ...text, example: 'user.created' },
  status: {
    ...text,
    enum: DELIVERY_STATUSES,
    example: 'pending',
    description: '`pending` while a try is left.',
  },
  attempts: { ...count, example: 1 },
  responseStatus: {
    ...count,
    nullable: true,
    example: 503,
    description: 'Of the last try; null without an answer.',
  },
  durationMs: { ...count, nullable: true, example: 84, description: 'Of the last try.' },
  error: {
    ...textOrNull,
    enum: [...DELIVERY_ERRORS, null],
    example: 'status',
    description: 'Why the last try failed.',
  },
  nextAttemptAt: instantOrNull,
  createdAt: instant,
})
