import type { Webhook } from '#webhooks/webhook'
import type { Delivery } from '#webhooks/deliveries/delivery'
import type { Column } from './_table.ts'

/** With two blanks between them, the columns fit into 80 characters. */
export const WEBHOOK_COLUMNS: Column[] = [
  { name: 'name', title: 'Name', width: 24 },
  { name: 'url', title: 'Address', width: 32 },
  { name: 'state', title: 'State', width: 18 },
]

export const DELIVERY_COLUMNS: Column[] = [
  { name: 'createdAt', title: 'Queued', width: 20 },
  { name: 'type', title: 'Event', width: 25 },
  { name: 'status', title: 'Status', width: 10 },
  { name: 'attempts', title: 'Tries', width: 5 },
  { name: 'reason', title: 'Why', width: 12 },
]

export function stateOf({ enabled, disabledReason, failingSince }: Webhook) {
  if (disabledReason) return `disabled: ${disabledReason}`
  if (!enabled) return 'disabled'
  return failingSince === null ? 'enabled' : `failing since ${dayOf(failingSince)}`
}

export function rowOfWebhook(webhook: Webhook): Record<string, unknown> {
  return { ...webhook, state: stateOf(webhook) }
}

export function rowOfDelivery({ createdAt, error, responseStatus, ...shown }: Delivery) {
  const reason = error === 'status' ? `status ${responseStatus}` : error
  const queued = new Date(createdAt).toISOString().slice(0, 19).replace('T', ' ')
  return { ...shown, createdAt: queued, reason }
}

function dayOf(time: number) {
  return new Date(time).toISOString().slice(0, 10)
}
