import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { oneAtATime } from '#database/one_at_a_time'
import { EMPTY_CHAIN } from './chain.ts'
import { findChain, findChainAndLast } from './chain_state.ts'
import { findOverdue } from './unsealed.ts'
import type { MissingKey } from './missing_keys.ts'
import {
  type ExpectedHead,
  type SealedState,
  type VerifyOptions,
  type ChainWalk,
  verifyChain,
} from './verify_chain.ts'

/** `other`: the chain has another hash there. `beyond`: it ends before. `early`: it begins after. */
export type ExpectationError = 'other' | 'beyond' | 'early'

export interface TrailVerdict {
  /** Whether the chain holds and passes the expected head, with every event sealed in time and every key there. */
  isWhole: boolean
  /** Links that hold, from the checkpoint on. */
  events: number
  /** The first link that does not hold. */
  broken: ChainWalk['broken']
  /** Ids of events that no process has sealed in time, or that the product has not written; at most 100. */
  unsealed: string[]
  /** Keys without which events of users who were not deleted cannot be read; at most 100. */
  missingKeys: MissingKey[]
  expectation: ExpectationError | null
  head: ExpectedHead | null
  /** The last link that retention removed; 0 if none was. */
  checkpoint: number
}

/** For the console: however many administrators ask, one verification runs at a time. */
export const verifyTrailAlone = oneAtATime(() => verifyTrail())

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
  { broken, events, passed, ...walk }: ChainWalk,
  { expected, client }: VerifyOptions & { client: QueryClientContract }
): Promise<TrailVerdict> {
  const unsealed = await findOverdue(client)
  const missingKeys = [...walk.missingKeys.values()]
  const expectation = expected ? errorOfExpectation(expected, state, passed) : null
  return {
    isWhole: !broken && unsealed.length + missingKeys.length === 0 && expectation === null,
    events,
    broken,
    unsealed,
    missingKeys,
    expectation,
    head: state.seal ? { sequence: state.sequence, hash: state.hash } : null,
    checkpoint: state.checkpoint_sequence,
  }
}

function errorOfExpectation(
  { sequence, hash }: ExpectedHead,
  state: SealedState,
  passed: string | null
): ExpectationError | null {
  if (sequence < state.checkpoint_sequence) return 'early'
  if (sequence > state.sequence) return 'beyond'
  const there = sequence === state.checkpoint_sequence ? state.checkpoint_hash : passed
  return there === hash ? null : 'other'
}
