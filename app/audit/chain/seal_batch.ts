import db from '@adonisjs/lucid/services/db'
import settings from '#config/audit'
import { selectRows } from '#database/select_rows'
import { isGenuineEvent, linkHash, type ChainState } from './chain.ts'
import { getChainOrFail, lockChain, saveChain } from './chain_state.ts'
import { toEvent, type EventRow } from '#audit/event_row'
import type { Transaction } from '#database/transaction'

export interface SealedBatch {
  outcome: 'sealed' | 'busy'
  /** The id behind which more events may wait; null at the end. */
  next: string | null
  /** Forged events, which stay out of the chain. */
  forged: string[]
  hasAdministration: boolean
  head: Pick<ChainState, 'sequence' | 'hash'> | null
}

const BUSY: SealedBatch = {
  outcome: 'busy',
  next: null,
  forged: [],
  hasAdministration: false,
  head: null,
}

/** Sorts before every id, ids of forged rows included. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** The next batch starts behind this one: many forged events must not keep the others waiting. */
export function sealBatch(after = FIRST_ID): Promise<SealedBatch> {
  return db.transaction(async (trx) => ((await lockChain(trx)) ? sealLocked(after, trx) : BUSY))
}

/** For a transaction that holds the lock of the chain. */
export async function sealLocked(after: string, trx: Transaction): Promise<SealedBatch> {
  const waiting = await findUnsealed(after, trx)
  const rows = waiting.filter(isGenuineEvent)
  const state = rows.length > 0 ? await getChainOrFail(trx) : null
  const head = state && (await link(rows, state, trx))
  return {
    outcome: 'sealed',
    next: waiting.length === settings.sealBatch ? waiting.at(-1)!.id : null,
    forged: waiting.filter((event) => !rows.includes(event)).map(({ id }) => id),
    hasAdministration: rows.some(isAdministration),
    head,
  }
}

async function findUnsealed(after: string, trx: Transaction): Promise<EventRow[]> {
  const rows = await trx
    .from('audit_events')
    .whereNull('sequence')
    .where('id', '>', after)
    .orderBy('id')
    .limit(settings.sealBatch)
  return rows.map(toEvent)
}

/** True for a change by a command, or by a user to another user or resource. */
function isAdministration({ actor, actor_id: actorId, target_id: targetId, outcome }: EventRow) {
  const isOnOthers = actorId !== null && actorId !== targetId
  return outcome === 'success' && (actor.startsWith('cli:') || isOnOthers)
}

async function link(rows: EventRow[], state: ChainState, trx: Transaction) {
  let { sequence, hash } = state
  const links = rows.map(({ id, mac }) => {
    sequence++
    hash = linkHash({ sequence, mac, previousHash: hash })
    return { id, sequence, hash }
  })
  await writeLinks(links, trx)
  await saveChain({ ...state, sequence, hash }, trx)
  return { sequence, hash }
}

/** One statement costs less. The plus keeps SQLite from reading the links again for every event. */
const WRITE_LINKS = {
  postgres: `UPDATE audit_events AS e SET sequence = l.sequence, hash = l.hash
    FROM jsonb_to_recordset(CAST(? AS jsonb)) AS l(id uuid, sequence bigint, hash text)
    WHERE e.id = l.id AND e.sequence IS NULL RETURNING e.id`,
  sqlite: `UPDATE audit_events SET sequence = l.value ->> 'sequence', hash = l.value ->> 'hash'
    FROM json_each(?) AS l
    WHERE audit_events.id = l.value ->> 'id' AND +audit_events.sequence IS NULL RETURNING id`,
}

async function writeLinks(links: object[], trx: Transaction) {
  const statement = WRITE_LINKS[trx.dialect.name === 'postgres' ? 'postgres' : 'sqlite']
  const written = await selectRows(trx, statement, [JSON.stringify(links)])
  if (written.length !== links.length)
    throw new Error('An audit event vanished while it was sealed')
}
