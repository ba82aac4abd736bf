import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import settings from '#config/audit'
import { EMPTY_CHAIN } from './chain.ts'
import { findChain, findChainAndLast } from './chain_state.ts'
import {
  type ExpectedHead,
  type SealedState,
  type VerifyOptions,
  type ChainWalk,
  verifyChain,
} from './verify_chain.ts'

/** `other`: the chain has another hash there. `beyond`: it ends before. `early`: it begins after. */
export type ExpectationFault = 'other' | 'beyond' | 'early'

export interface TrailVerdict {
  /** Whether the chain holds, every event is sealed in time, and it passes the expected head. */
  isWhole: boolean
  /** Links that hold, from the checkpoint on. */
  events: number
  /** The first link that does not hold. */
  broken: ChainWalk['broken']
  /** Ids of events that no process has sealed in time, or that the product has not written; at most 100. */
  unsealed: string[]
  expectation: ExpectationFault | null
  head: ExpectedHead | null
  /** The last link that retention removed; 0 if none was. */
  checkpoint: number
}

const MOST_UNSEALED = 100

/**
 * Verifies that no event was changed, removed or reordered since it was sealed, and that
 * every event is sealed in time. The state of the chain is read first: what is sealed
 * meanwhile comes after it and is not read. Where retention has moved the beginning
 * meanwhile, the verification starts again.
 */
export async function verifyTrail(options: VerifyOptions = {}): Promise<TrailVerdict> {
  const client = options.client ?? db.connection()
  const { state, last } = await findChainAndLast(client)
  const chain = state ?? { ...EMPTY_CHAIN, seal: null }
  const walk = await verifyChain(chain, { ...options, client, last })
  const now = walk.broken && state ? await findChain(client) : null
  if (now && now.checkpoint_sequence !== chain.checkpoint_sequence) return verifyTrail(options)
  return concludeVerdict(chain, walk, { ...options, client })
}

async function concludeVerdict(
  state: SealedState,
  { broken, events, passed }: ChainWalk,
  { expected, client }: VerifyOptions & { client: QueryClientContract }
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

function faultOfExpectation(
  { sequence, hash }: ExpectedHead,
  state: SealedState,
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
