import vine from '@vinejs/vine'
import limits from '#config/limits'
import { DELIVERY_STATUSES } from '#webhooks/deliveries/delivery'
import { FILTERS } from '#webhooks/types/filters'
import { reauthentication } from './auth.ts'
import { displayName, text } from './rules.ts'

const url = () => text(limits.webhookUrl).minLength(1)

const events = () =>
  vine.array(vine.enum(FILTERS)).minLength(1).maxLength(FILTERS.length).distinct()

const fields = {
  name: displayName().optional(),
  description: text(limits.reason).trim().nullable().optional(),
  enabled: vine.boolean().optional(),
}

export const createWebhookValidator = vine.create({
  url: url(),
  events: events(),
  ...fields,
  ...reauthentication,
})

export const updateWebhookFields = {
  url: url().optional(),
  events: events().optional(),
  ...fields,
}

export const updateWebhookValidator = vine.create({ ...updateWebhookFields, ...reauthentication })

/** Browsers do not send boxes that are not ticked. */
export const webhookFormValidator = vine.create({
  ...fields,
  url: url(),
  events: events(),
  name: displayName().nullable().optional(),
})

export const replayWebhookValidator = vine.create({ since: text(limits.search).minLength(1) })

export const listDeliveriesValidator = vine.create({
  cursor: vine.string().uuid().toLowerCase().optional(),
  limit: vine.number().withoutDecimals().min(1).max(limits.deliveryPage).optional(),
  status: vine.enum(DELIVERY_STATUSES).optional(),
})
