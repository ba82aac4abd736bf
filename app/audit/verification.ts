import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import settings from '#config/audit'
import { EMPTY_CHAIN, eventMac, linkHash, type ChainState } from './chain.ts'
import { findChain, findChainAndLast, isGenuine } from './chain_state.ts'
import { toEvent, type EventRow } from './event_row.ts'

/** A link that must be in the chain: a head that the log once told. */
export interface ExpectedHead {
  sequence: number
  hash: string
}

/** `changed`: differs from what was written. `missing`: was removed. `early`: before the checkpoint. */
export type TrailFault = 'changed' | 'missing'

/** `other`: the chain has another hash there. `beyond`: it ends before. `early`: it begins after. */
export type ExpectationFault = 'other' | 'beyond' | 'early'

export interface TrailVerdict {
  /** Whether the chain holds, every event is sealed in time, and it passes the expected head. */
  isWhole: boolean
  /** Links that hold, from the checkpoint on. */
  events: number
  /** The first link that does not hold. */
  broken: { sequence: number; fault: TrailFault } | null
  /** Ids of events that no process has sealed in time, or that the product has not written; at most 100. */
  unsealed: string[]
  expectation: ExpectationFault | null
  head: ExpectedHead | null
  /** The last link that retention removed; 0 if none was. */
  checkpoint: number
}

const BATCH = 1_000
const MOST_UNSEALED = 100

interface Options {
  expected?: ExpectedHead
  /** Called with the number of events that were verified so far. */
  onProgress?: (events: number) => void
  client?: QueryClientContract
}

/**
 * Verifies that no event was changed, removed or reordered since it was sealed, and that
 * every event is sealed in time. The state of the chain is read first: what is sealed
 * meanwhile comes after it and is not read. Where retention has moved the beginning
 * meanwhile, the verification starts again.
 */
export async function verifyTrail(options: Options = {}): Promise<TrailVerdict> {
  const client = options.client ?? db.connection()
  const { state, last } = await findChainAndLast(client)
  const chain = state ?? { ...EMPTY_CHAIN, seal: null }
  const walk = await verifyChain(chain, { ...options, client, last })
  const now = walk.broken && state ? await findChain(client) : null
  if (now && now.checkpoint_sequence !== chain.checkpoint_sequence) return verifyTrail(options)
  return concludeVerdict(chain, walk, { ...options, client })
}

async function concludeVerdict(
  state: State,
  { broken, events, passed }: Walk,
  { expected, client }: Options & Reader
): Promise<TrailVerdict> {
  const unsealed = await findOverdue(client)
  const expectation = expected ? faultOfExpectation(expected, state, passed) : null
  return {
    isWhole: !broken && unsealed.length === 0 && expectation === null,
    events,
    broken,
    unsealed,
    expectation,
    head: state.seal ? { sequence: state.sequence, hash: state.hash } : null,
    checkpoint: state.checkpoint_sequence,
  }
}

interface Reader {
  client: QueryClientContract
}

type State = ChainState & { seal: string | null }

interface Walk {
  events: number
  broken: TrailVerdict['broken']
  /** The hash of the chain at the expected sequence, if the walk came by. */
  passed: string | null
}

async function verifyChain(
  state: State,
  { expected, onProgress, client, last: highest }: Options & Reader & { last: number }
): Promise<Walk> {
  const start = { sequence: state.checkpoint_sequence, hash: state.checkpoint_hash }
  const walk: Walk = { events: 0, broken: null, passed: null }
  if (highest > state.sequence || !isSigned(state)) {
    return { ...walk, broken: { sequence: state.sequence, fault: 'changed' } }
  }
  let last: ExpectedHead = start
  while (last.sequence < state.sequence) {
    const rows = await linksAfter(last.sequence, state.sequence, client)
    const { link, fault } = followLinks(rows, last)
    walk.passed ??= hashAt(expected, [start, ...rows])
    walk.events = link.sequence - start.sequence
    if (fault) return { ...walk, broken: { sequence: link.sequence + 1, fault } }
    last = link
    onProgress?.(walk.events)
  }
  const isAtHead = last.hash === state.hash
  return isAtHead ? walk : { ...walk, broken: { sequence: last.sequence, fault: 'changed' } }
}

/** Without a head there are no links yet: a link without one was put there. */
function isSigned({ seal, ...state }: State) {
  return seal === null || isGenuine({ ...state, seal })
}

async function linksAfter(sequence: number, upTo: number, client: QueryClientContract) {
  const rows = await client
    .from('audit_events')
    .where('sequence', '>', sequence)
    .where('sequence', '<=', upTo)
    .orderBy('sequence')
    .limit(BATCH)
  return rows.map(toEvent)
}

/** The last link that holds among these events, and what is wrong with the one after it. */
function followLinks(rows: EventRow[], from: ExpectedHead) {
  let link = from
  for (const row of rows) {
    const fault = faultOf(row, link)
    if (fault) return { link, fault }
    link = { sequence: row.sequence!, hash: row.hash! }
  }
  return { link, fault: rows.length === 0 ? ('missing' as const) : null }
}

function faultOf(row: EventRow, last: ExpectedHead): TrailFault | null {
  if (row.sequence !== last.sequence + 1) return 'missing'
  const { sequence, mac } = row
  const isLinked = row.hash === linkHash({ sequence, mac, previousHash: last.hash })
  return isLinked && mac === eventMac(row) ? null : 'changed'
}

function hashAt(expected: ExpectedHead | undefined, links: Pick<EventRow, 'sequence' | 'hash'>[]) {
  const link = links.find(({ sequence }) => sequence === expected?.sequence)
  return link?.hash ?? null
}

function faultOfExpectation(
  { sequence, hash }: ExpectedHead,
  state: State,
  passed: string | null
): ExpectationFault | null {
  if (sequence < state.checkpoint_sequence) return 'early'
  if (sequence > state.sequence) return 'beyond'
  const there = sequence === state.checkpoint_sequence ? state.checkpoint_hash : passed
  return there === hash ? null : 'other'
}

/** Events of the last seconds wait for their batch; a clock may be ahead by as much. */
async function findOverdue(client: QueryClientContract): Promise<string[]> {
  const [from, to] = [Date.now() - settings.sealOverdueMs, Date.now() + settings.sealOverdueMs]
  const rows = await client
    .from('audit_events')
    .whereNull('sequence')
    .where((late) => late.where('occurred_at', '<', from).orWhere('occurred_at', '>', to))
    .orderBy('id')
    .limit(MOST_UNSEALED)
    .select('id')
  return rows.map(({ id }) => id)
}
