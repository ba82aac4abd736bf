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

/** `other`: the hash differs. `beyond`: the chain ends earlier. `early`: the chain begins later. */
export type ExpectationError = 'other' | 'beyond' | 'early'

export interface TrailVerdict {
  isWhole: boolean
  events: number
  broken: ChainWalk['broken']
  /** Ids of events that are overdue or that the product has not written; at most 100. */
  unsealed: string[]
  missingKeys: MissingKey[]
  expectation: ExpectationError | null
  head: ExpectedHead | null
  /** The last link that retention removed; 0 if none was. */
  checkpoint: number
}

/** A verification is costly: one runs at a time, however many administrators ask. */
export const verifyTrailAlone = oneAtATime(() => verifyTrail())

/** Reads the state first. If retention moves the beginning during the walk, it starts again. */
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
