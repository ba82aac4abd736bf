import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { BATCH_SIZE } from '#database/batches'
import { isGenuineEvent, linkHash } from './chain.ts'
import { toEvent, type EventRow } from '#audit/event_row'
import type { ExpectedHead, TrailError } from './verify_chain.ts'

export async function linksAfter(sequence: number, upTo: number, client: QueryClientContract) {
  const rows = await client
    .from('audit_events')
    .where('sequence', '>', sequence)
    .where('sequence', '<=', upTo)
    .orderBy('sequence')
    .limit(BATCH_SIZE)
  return rows.map(toEvent)
}

export function followLinks(rows: EventRow[], from: ExpectedHead) {
  let link = from
  for (const row of rows) {
    const fault = faultOf(row, link)
    if (fault) return { link, fault }
    link = { sequence: row.sequence!, hash: row.hash! }
  }
  return { link, fault: rows.length === 0 ? ('missing' as const) : null }
}

function faultOf(row: EventRow, last: ExpectedHead): TrailError | null {
  if (row.sequence !== last.sequence + 1) return 'missing'
  const { sequence, mac } = row
  const isLinked = row.hash === linkHash({ sequence, mac, previousHash: last.hash })
  return isLinked && isGenuineEvent(row) ? null : 'changed'
}

export function hashAt(
  expected: ExpectedHead | undefined,
  links: Pick<EventRow, 'sequence' | 'hash'>[]
) {
  const link = links.find(({ sequence }) => sequence === expected?.sequence)
  return link?.hash ?? null
}
