import pLimit from 'p-limit'
import db from '@adonisjs/lucid/services/db'
import { yieldToEventLoop } from '#database/batches'
import { matchesFilter } from '#webhooks/types/filters'
import { publicTypeOf, TEST_TYPE, type PublicType } from '#webhooks/types/public_types'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/** A test is not cut from the trail: it is sent only to the webhook that is tested. */
export interface TypedEvent {
  id: string
  sequence: number
  occurredAt: number
  type: PublicType | null
}

/** Returns the sealed events behind a position in the trail. */
export async function readEvents(
  after: number,
  limit: number,
  client: QueryClientContract
): Promise<TypedEvent[]> {
  const rows = await client
    .from('audit_events')
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(limit)
    .select('id', 'sequence', 'occurred_at', 'action', 'details')
  return rows.map((row) => {
    const type = publicTypeOf(row)
    const { id, sequence, occurred_at: occurredAt } = row
    return {
      id,
      sequence: Number(sequence),
      occurredAt: Number(occurredAt),
      type: type === TEST_TYPE ? null : type,
    }
  })
}

export function isWanted(event: TypedEvent, filters: string[]) {
  return event.type !== null && matchesFilter(event.type, filters)
}

const COUNTED_AT_ONCE = 500

/** Callers wait for one another: each may read the whole trail. */
const inTurn = pLimit(1)

/** Counts from an event on, including it. @returns at most `most`, even if more events match */
export function countMatching(filters: string[], first: number, most: number) {
  return inTurn(() => countUpTo(filters, first, most))
}

async function countUpTo(filters: string[], first: number, most: number) {
  let [after, count] = [first - 1, 0]
  for (;;) {
    const events = await readEvents(after, COUNTED_AT_ONCE, db.connection())
    count += events.filter((event) => isWanted(event, filters)).length
    if (count >= most) return most
    if (events.length < COUNTED_AT_ONCE) return count
    after = events.at(-1)!.sequence
    await yieldToEventLoop()
  }
}
