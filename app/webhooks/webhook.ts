import { decryptSecrets } from './secrets.ts'

/** Why the product itself disabled an endpoint: it answered 410, or failed for five days. */
export type DisabledReason = 'gone' | 'failing'

/** Times in milliseconds. */
export interface Webhook {
  id: string
  name: string
  url: string
  /** Filters: types, all types of a subject (`user.*`), or everything (`*`). */
  events: string[]
  description: string | null
  enabled: boolean
  /** Null if an administrator disabled the endpoint. */
  disabledReason: DisabledReason | null
  /** Time of the first failure since the last success; null after a success. */
  failingSince: number | null
  createdAt: number
  updatedAt: number
}

export interface WebhookRow {
  id: string
  name: string
  url: string
  events: string
  description: string | null
  secret: string
  previous_secret: string | null
  previous_secret_until: number | null
  disabled_at: number | null
  disabled_reason: DisabledReason | null
  starts_with: string | null
  cut_sequence: number | null
  cut_at: number | null
  first_failure_at: number | null
  created_at: number
  updated_at: number
}

const numberOrNull = (value: number | string | null) => (value === null ? null : Number(value))

export function toWebhook(row: WebhookRow): Webhook {
  const { id, name, url, description, disabled_reason: disabledReason } = row
  return {
    id,
    name,
    url,
    events: JSON.parse(row.events),
    description,
    enabled: row.disabled_at === null,
    disabledReason,
    failingSince: numberOrNull(row.first_failure_at),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  }
}

/** Returns a webhook in the form that the API shows. */
export function toRecord(webhook: Webhook) {
  const { id, name, url, events, description, enabled, disabledReason } = webhook
  return { id, name, url, events, description, enabled, disabledReason }
}

export type WebhookRecord = ReturnType<typeof toRecord>

/** Returns every secret that receivers may use now: the previous one stays valid for a day. */
export function secretsOf(row: WebhookRow, now = Date.now()) {
  const isPreviousGood = Number(row.previous_secret_until ?? 0) > now
  return decryptSecrets(row, isPreviousGood)
}

/** Returns details for events and mails, with only the host: a path may contain a secret. */
export function detailsOf({ id, name, url }: Pick<Webhook, 'id' | 'name' | 'url'>) {
  return { webhookId: id, webhook: name, host: new URL(url).host }
}
