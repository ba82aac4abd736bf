import { count } from '#telemetry/counters'
import { inSpan } from '#telemetry/spans'
import { errorOf, refusalOf } from './delivery_errors.ts'
import { nextAttemptAt } from './retry_delays.ts'
import type { DeliveryError, DeliveryRow } from '#webhooks/deliveries/delivery'
import type { Endpoint } from './endpoint.ts'
import type { Message, Unsent } from './messages.ts'

type LastTry = 'response_status' | 'duration_ms' | 'error' | 'next_attempt_at'

/** Written to the row of the delivery. */
export interface Outcome extends Pick<DeliveryRow, 'id' | 'status' | 'attempts' | LastTry> {
  /** Milliseconds since the epoch. */
  endedAt: number
}

interface Answer {
  status: number | null
  error: DeliveryError | null
}

/** Makes one try. */
export async function sendMessage(endpoint: Endpoint, message: Message): Promise<Outcome> {
  const kind = { 'gatehouse.kind': message.delivery.type }
  const outcome = await inSpan('webhook', () => tryOnce(endpoint, message), kind)
  const { status } = outcome
  count('gatehouse_webhook_deliveries_total', {
    outcome: status === 'pending' ? 'deferred' : status,
  })
  return outcome
}

async function tryOnce(endpoint: Endpoint, { delivery, body }: Message): Promise<Outcome> {
  const startedAt = Date.now()
  if (typeof body !== 'string') return unsentOutcome(delivery, body.error, startedAt)
  const answer = await post(endpoint, delivery.event_id, body).catch((error) => ({
    status: null,
    error: errorOf(error),
  }))
  return outcomeOf(delivery, answer, startedAt)
}

async function post(endpoint: Endpoint, eventId: string, body: string): Promise<Answer> {
  const status = await endpoint.post(eventId, body)
  return { status, error: refusalOf(status) }
}

function outcomeOf(delivery: DeliveryRow, answer: Answer, startedAt: number): Outcome {
  const now = Date.now()
  const attempts = delivery.attempts + 1
  const isLast = answer.error === null || answer.error === 'gone'
  const next = isLast ? null : nextAttemptAt(attempts, now)
  const failed = next === null ? 'failed' : 'pending'
  return {
    id: delivery.id,
    status: answer.error === null ? 'delivered' : failed,
    attempts,
    response_status: answer.status,
    duration_ms: Math.max(0, now - startedAt),
    error: answer.error,
    next_attempt_at: next,
    endedAt: now,
  }
}

/** If the database failed, the message is tried again. If the event was removed, it is not. */
function unsentOutcome(delivery: DeliveryRow, error: Unsent, startedAt: number): Outcome {
  const answer = { status: null, error }
  const outcome = { ...outcomeOf(delivery, answer, startedAt), duration_ms: null }
  if (error === 'internal') return outcome
  return { ...outcome, status: 'failed', attempts: delivery.attempts, next_attempt_at: null }
}
