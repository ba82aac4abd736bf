import db from '@adonisjs/lucid/services/db'
import { CHAIN_COUNT, linkHash, type ChainedEvent } from './chain.ts'

/** Whether the trail is whole, or where it first is not. */
export type TrailVerdict =
  | { isWhole: true; events: number }
  | { isWhole: false; events: number; chain: number; sequence: number; fault: TrailFault }

/** `changed`: the event is not what was written. `missing`: it is gone. */
export type TrailFault = 'changed' | 'missing'

interface Link {
  sequence: number
  hash: string
}

const BATCH = 1_000

/**
 * Proves that no event was changed, removed or reordered since it was written: every
 * hash is computed anew, every sequence is without a gap, and every chain ends where its
 * head says.
 *
 * @param onProgress told how many events were looked at so far
 */
export async function verifyTrail(onProgress: (events: number) => void = () => {}) {
  let events = 0
  for (let chain = 0; chain < CHAIN_COUNT; chain++) {
    const verdict = await verifyChain(chain, (count) => onProgress(events + count))
    events += verdict.events
    if (!verdict.isWhole) return { ...verdict, events }
  }
  return { isWhole: true, events } satisfies TrailVerdict
}

/** The head is read first: what is appended meanwhile comes after it and is not looked at. */
async function verifyChain(
  chain: number,
  onProgress: (events: number) => void
): Promise<TrailVerdict> {
  const head = await db.from('audit_chains').where('chain', chain).first()
  let last: Link = { sequence: 0, hash: '' }
  while (last.sequence < (head?.last_sequence ?? 0)) {
    const rows = await nextEvents(chain, last.sequence, head.last_sequence)
    if (rows.length === 0) return broken(chain, last.sequence, 'missing')
    for (const row of rows) {
      const fault = faultOf(row, last)
      if (fault) return broken(chain, last.sequence, fault)
      last = { sequence: row.sequence, hash: row.hash }
    }
    onProgress(last.sequence)
  }
  if (head && head.last_hash !== last.hash) return broken(chain, last.sequence - 1, 'changed')
  return orphans(chain, last.sequence)
}

function nextEvents(chain: number, after: number, upTo: number) {
  return db
    .from('audit_events')
    .where('chain', chain)
    .whereBetween('sequence', [after + 1, upTo])
    .orderBy('sequence')
    .limit(BATCH)
}

function faultOf(row: any, last: Link): TrailFault | null {
  if (row.sequence !== last.sequence + 1) return 'missing'
  const isGenuine = row.previous_hash === last.hash && row.hash === linkHash(toEvent(row))
  return isGenuine ? null : 'changed'
}

/** A chain without a head must be empty: removing the head would hide what was removed with it. */
async function orphans(chain: number, length: number): Promise<TrailVerdict> {
  if (length > 0) return { isWhole: true, events: length }
  const orphan = await db.from('audit_events').where('chain', chain).first()
  return orphan ? broken(chain, 0, 'missing') : { isWhole: true, events: 0 }
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
