import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { selectRows } from '#database/select_rows'
import { CHAIN_COUNT, linkHash, sealOf, type ChainedEvent } from './chain.ts'

/** Whether the trail is whole, or its first broken link. */
export type TrailVerdict =
  | { isWhole: true; events: number }
  | { isWhole: false; events: number; chain: number; sequence: number; fault: TrailFault }

/** `changed`: the event differs from what was written. `missing`: it was removed. */
export type TrailFault = 'changed' | 'missing'

interface Link {
  sequence: number
  hash: string
}

const BATCH = 1_000

/**
 * Verifies that no event was changed, removed or reordered since it was written: every
 * hash is computed anew, no sequence has a gap, and every chain ends where its head says.
 *
 * @param onProgress called with the number of events that were verified so far
 */
export async function verifyTrail(
  onProgress: (events: number) => void = () => {},
  client: QueryClientContract = db.connection()
): Promise<TrailVerdict> {
  let events = 0
  for (let chain = 0; chain < CHAIN_COUNT; chain++) {
    const verdict = await verifyChain(chain, client, (count) => onProgress(events + count))
    events += verdict.events
    if (!verdict.isWhole) return { ...verdict, events }
  }
  return { isWhole: true, events }
}

interface Head {
  last_sequence: number
  last_hash: string
  seal: string
  /** The largest sequence of the chain's events. */
  highest: number | null
}

/** The head is read first: events that are appended meanwhile come after it and are not read. */
async function verifyChain(
  chain: number,
  client: QueryClientContract,
  onProgress: (events: number) => void
): Promise<TrailVerdict> {
  const head = await findHead(chain, client)
  if (!head) return missingChain(chain, client)
  const { last_sequence: length, last_hash: lastHash } = head
  if (head.seal !== sealOf(chain, length, lastHash)) return broken(chain, length, 'changed')
  if ((head.highest ?? 0) > length) return broken(chain, length, 'changed')
  let last: Link = { sequence: 0, hash: '' }
  while (last.sequence < length) {
    const rows = await nextEvents(chain, client, [last.sequence + 1, length])
    if (rows.length === 0) return broken(chain, last.sequence, 'missing')
    const { fault, link } = followLinks(rows, last)
    if (fault) return broken(chain, link.sequence, fault)
    last = link
    onProgress(last.sequence)
  }
  return last.hash === lastHash
    ? { isWhole: true, events: length }
    : broken(chain, length - 1, 'changed')
}

/** The last link that holds among these events, and what is wrong with the one after it. */
function followLinks(rows: any[], from: Link): { fault: TrailFault | null; link: Link } {
  let link = from
  for (const row of rows) {
    const fault = faultOf(row, link)
    if (fault) return { fault, link }
    link = { sequence: row.sequence, hash: row.hash }
  }
  return { fault: null, link }
}

/** Head and last event in one statement, because two would see different moments. */
async function findHead(chain: number, client: QueryClientContract): Promise<Head | undefined> {
  const [head] = await selectRows<Head>(
    client,
    `SELECT last_sequence, last_hash, seal,
       (SELECT MAX(sequence) FROM audit_events e WHERE e.chain = c.chain) AS highest
     FROM audit_chains c WHERE chain = ?`,
    [chain]
  )
  return head
}

/** All chains are created together, so a missing one was removed, unless the trail is empty. */
async function missingChain(chain: number, client: QueryClientContract): Promise<TrailVerdict> {
  const other = await client.from('audit_chains').first()
  const event = await client.from('audit_events').first()
  return other || event ? broken(chain, 0, 'missing') : { isWhole: true, events: 0 }
}

function nextEvents(chain: number, client: QueryClientContract, range: [number, number]) {
  return client
    .from('audit_events')
    .where('chain', chain)
    .whereBetween('sequence', range)
    .orderBy('sequence')
    .limit(BATCH)
}

function faultOf(row: any, last: Link): TrailFault | null {
  if (row.sequence !== last.sequence + 1) return 'missing'
  const isGenuine = row.previous_hash === last.hash && row.hash === linkHash(toEvent(row))
  return isGenuine ? null : 'changed'
}

function broken(chain: number, verified: number, fault: TrailFault): TrailVerdict {
  return { isWhole: false, events: verified, chain, sequence: verified + 1, fault }
}

function toEvent(row: any): ChainedEvent {
  return {
    id: row.id,
    chain: row.chain,
    sequence: row.sequence,
    occurredAt: Number(row.occurred_at),
    action: row.action,
    outcome: row.outcome,
    actor: row.actor,
    actorId: row.actor_id,
    targetId: row.target_id,
    ip: row.ip,
    userAgent: row.user_agent,
    details: row.details,
    previousHash: row.previous_hash,
  }
}
