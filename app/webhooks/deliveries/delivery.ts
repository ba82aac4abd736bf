/** A delivery is pending while a try is left. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** Why the last try failed. Of the answer only the status is kept. */
export const DELIVERY_ERRORS = [
  'timeout',
  'unreachable',
  'not_found',
  'not_allowed',
  'certificate',
  'redirect',
  'status',
  'gone',
  'answer',
  'disabled',
  'event_removed',
  'internal',
] as const
export type DeliveryError = (typeof DELIVERY_ERRORS)[number]

/** Times in milliseconds. */
export interface Delivery {
  id: string
  webhookId: string
  eventId: string
  type: string
  status: DeliveryStatus
  attempts: number
  responseStatus: number | null
  durationMs: number | null
  error: DeliveryError | null
  nextAttemptAt: number | null
  createdAt: number
}

export interface DeliveryRow {
  id: string
  webhook_id: string
  event_id: string
  sequence: number | null
  type: string
  status: DeliveryStatus
  attempts: number
  response_status: number | null
  duration_ms: number | null
  error: DeliveryError | null
  next_attempt_at: number | null
  created_at: number
}

export function toDelivery(row: DeliveryRow): Delivery {
  const { next_attempt_at: next } = row
  return {
    id: row.id,
    webhookId: row.webhook_id,
    eventId: row.event_id,
    type: row.type,
    status: row.status,
    attempts: row.attempts,
    responseStatus: row.response_status,
    durationMs: row.duration_ms,
    error: row.error,
    nextAttemptAt: next === null ? null : Number(next),
    createdAt: Number(row.created_at),
  }
}

/** Returns a delivery in the form that the API shows. */
export function toDeliveryRecord({ webhookId, nextAttemptAt, createdAt, ...shown }: Delivery) {
  return {
    ...shown,
    nextAttemptAt: nextAttemptAt === null ? null : new Date(nextAttemptAt).toISOString(),
    createdAt: new Date(createdAt).toISOString(),
  }
}

export type DeliveryRecord = ReturnType<typeof toDeliveryRecord>
