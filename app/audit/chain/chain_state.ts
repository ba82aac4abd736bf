import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { selectRows } from '#database/select_rows'
import { EMPTY_CHAIN, sealOf, type ChainState } from './chain.ts'
import type { Transaction } from '#database/transaction'

/* This file owns `audit_chain`, whose only row contains both ends of the chain and their seal. */

const ADVISORY_LOCK = 7_014_382

/** False while another process has the chain; timeouts free it from a frozen one after 0.5 s. */
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

/** Returns null before the first event is sealed, and if an attacker removed the row. */
export async function findChain(client: QueryClientContract) {
  const { state } = await findChainAndLast(client)
  return state
}

/** One statement, because two would see different moments. */
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
  'The head of the audit log was changed, or its APP_KEY is gone: see docs/audit.md, “When it is broken”'

/** A new seal on a changed state would make it genuine, and hide that events were removed. */
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

export async function countEvents(client: QueryClientContract) {
  const chain = (await findChain(client)) ?? EMPTY_CHAIN
  const [unsealed] = await client.from('audit_events').whereNull('sequence').count('* as total')
  return chain.sequence - chain.checkpoint_sequence + Number(unsealed.total)
}
