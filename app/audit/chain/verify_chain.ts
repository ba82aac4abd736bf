import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { yieldToEventLoop } from '#database/batches'
import type { ChainState } from './chain.ts'
import { isGenuine } from './chain_state.ts'
import { findMissingKeys, type MissingKey } from './missing_keys.ts'
import type { EventRow } from '#audit/event_row'
import { linksAfter, followLinks, hashAt } from './follow_links.ts'

export interface ExpectedHead {
  sequence: number
  hash: string
}

/** `changeKeys`: differs from what was written. `missing`: was removed. */
export type TrailError = 'changed' | 'missing'

const MOST_MISSING = 100

export interface VerifyOptions {
  expected?: ExpectedHead
  onProgress?: (events: number) => void
  client?: QueryClientContract
}

export type SealedState = ChainState & { seal: string | null }

export interface ChainWalk {
  events: number
  broken: { sequence: number; fault: TrailError } | null
  /** Null if the walk did not reach the expected sequence. */
  passed: string | null
  /** One for each user, at most 100. */
  missingKeys: Map<string, MissingKey>
}

export async function verifyChain(
  state: SealedState,
  {
    expected,
    onProgress,
    client,
    last: highest,
  }: VerifyOptions & { client: QueryClientContract; last: number }
): Promise<ChainWalk> {
  const start = { sequence: state.checkpoint_sequence, hash: state.checkpoint_hash }
  const walk: ChainWalk = { events: 0, broken: null, passed: null, missingKeys: new Map() }
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
    await collectMissingKeys(walk, rows, client)
    last = link
    onProgress?.(walk.events)
    await yieldToEventLoop()
  }
  const isAtHead = last.hash === state.hash
  return isAtHead ? walk : { ...walk, broken: { sequence: last.sequence, fault: 'changed' } }
}

async function collectMissingKeys(
  { missingKeys }: ChainWalk,
  rows: EventRow[],
  client: QueryClientContract
) {
  for (const key of await findMissingKeys(rows, client)) {
    if (missingKeys.size < MOST_MISSING) missingKeys.set(key.userId, key)
  }
}

/** Before the first seal there are no links: an attacker added any that exists. */
function isSigned({ seal, ...state }: SealedState) {
  return seal === null || isGenuine({ ...state, seal })
}
