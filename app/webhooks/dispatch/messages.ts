import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import { toEvent, type EventRow } from '#audit/event_row'
import { composeAll, type EventData } from '#webhooks/types/compose_data'
import type { DeliveryRow } from '#webhooks/deliveries/delivery'

export type Unsent = 'event_removed' | 'internal'

export interface Message {
  delivery: DeliveryRow
  /** An error if there is nothing to send. */
  body: string | { error: Unsent }
}

/** Composes messages at each try and stores none: only the id of an erased user is left. */
export async function composeMessages(deliveries: DeliveryRow[]): Promise<Message[]> {
  const ids = deliveries.map((delivery) => delivery.event_id)
  const rows = await db.from('audit_events').whereIn('id', ids).whereNotNull('sequence')
  const events = rows.map(toEvent)
  const composed = await composeAll(events).catch(() => composeEach(events))
  const found = new Map(events.map((event, index) => [event.id, { event, data: composed[index] }]))
  return deliveries.map((delivery) => {
    const { event, data } = found.get(delivery.event_id) ?? {}
    if (!event) return { delivery, body: { error: 'event_removed' } }
    return { delivery, body: data ? bodyOf(delivery, event, data) : { error: 'internal' } }
  })
}

function bodyOf({ type }: DeliveryRow, event: EventRow, data: EventData) {
  return JSON.stringify({ type, timestamp: new Date(event.occurred_at).toISOString(), data })
}

/** One event that cannot be composed must not hold up the others. */
async function composeEach(events: EventRow[]) {
  const composed: (EventData | null)[] = []
  for (const event of events) composed.push(await composeOne(event))
  return composed
}

async function composeOne(event: EventRow): Promise<EventData | null> {
  try {
    const [data] = await composeAll([event])
    return data
  } catch (error) {
    logger.error({ err: error, event: event.id }, 'the body of a webhook could not be composed')
    return null
  }
}
