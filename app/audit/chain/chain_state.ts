import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { selectRows } from '#database/select_rows'
import { EMPTY_CHAIN, sealOf, type ChainState } from './chain.ts'
import type { Transaction } from '#database/transaction'

/*
 | Both ends of the chain with their seal, in the one row of `audit_chain`, which this file
 | owns.
 */

/** The lock of the chain among the advisory locks of the database server. */
const ADVISORY_LOCK = 7_014_382

/**
 * Lets one transaction at a time change the chain; false while another one does. On
 * Postgres the lock lasts for the transaction, whose four statements and the pauses between
 * them have half a second each: a process that is frozen keeps the others waiting for 2 s
 * at most. On SQLite a transaction is alone anyway.
 */
export async function lockChain(trx: Transaction) {
  if (trx.dialect.name !== 'postgres') return true
  const [{ taken }] = await selectRows<{ taken: boolean }>(
    trx,
    `SELECT set_config('statement_timeout', '500', true),
       set_config('idle_in_transaction_session_timeout', '500', true),
       pg_try_advisory_xact_lock(?) AS taken`,
    [ADVISORY_LOCK]
  )
  return taken
}

export interface SealedState extends ChainState {
  seal: string
}

/** Null before the first event was sealed, and where somebody removed it. */
export async function findChain(client: QueryClientContract) {
  const { state } = await findChainAndLast(client)
  return state
}

/** The chain and the highest sequence of an event, in one statement, because two would see different moments. */
export async function findChainAndLast(client: QueryClientContract) {
  const [row] = await selectRows<Record<keyof SealedState, any> & { last: number | null }>(
    client,
    `SELECT c.*, (SELECT MAX(sequence) FROM audit_events) AS last
     FROM (SELECT 1 AS one) AS o LEFT JOIN audit_chain AS c ON c.id = 1`,
    []
  )
  const state: SealedState | null = row.seal && {
    sequence: Number(row.sequence),
    hash: row.hash,
    checkpoint_sequence: Number(row.checkpoint_sequence),
    checkpoint_hash: row.checkpoint_hash,
    seal: row.seal,
  }
  return { state, last: Number(row.last ?? 0) }
}

export function isGenuine({ seal, ...state }: SealedState) {
  return seal === sealOf(state)
}

const CHANGED =
  'The head of the audit trail was changed, or its APP_KEY is gone: see docs/audit.md, “When it is broken”'

/**
 * The state that the next batch or checkpoint goes on from. Sealing on top of a state that
 * was tampered with would make it genuine, and hide what was removed. A link behind the head
 * would take the place of the next one.
 */
export async function getChainOrFail(trx: Transaction): Promise<ChainState> {
  const { state, last } = await findChainAndLast(trx)
  if (!state && last === 0) return EMPTY_CHAIN
  if (!state || !isGenuine(state) || last > state.sequence) throw new Error(CHANGED)
  return state
}

export async function saveChain(state: ChainState, trx: Transaction) {
  const row = { ...state, id: 1, seal: sealOf(state) }
  await trx.knexQuery().insert(row).into('audit_chain').onConflict('id').merge()
}

/** How many events there are: those of the chain, and the few that are not sealed yet. */
export async function countEvents(client: QueryClientContract) {
  const chain = (await findChain(client)) ?? EMPTY_CHAIN
  const [unsealed] = await client.from('audit_events').whereNull('sequence').count('* as total')
  return chain.sequence - chain.checkpoint_sequence + Number(unsealed.total)
}
