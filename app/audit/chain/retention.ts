import db from '@adonisjs/lucid/services/db'
import settings from '#config/audit'
import { inBatches } from '#database/batches'
import { getChainOrFail, lockChain, saveChain } from './chain_state.ts'
import type { Transaction } from '#database/transaction'

/** Verification starts from the checkpoint, which each batch seals in its own transaction. */
export async function removeOldEvents(now: number) {
  if (settings.retentionMs === null) return 0
  const before = now - settings.retentionMs
  return inBatches((size) => removeBatch({ before, now, size }))
}

interface Bounds {
  before: number
  now: number
  size: number
}

function removeBatch(bounds: Bounds) {
  return db.transaction(async (trx) => {
    const old = (await lockChain(trx)) ? await findOldLinks(bounds, trx) : []
    const last = old.at(-1)
    if (!last) return 0
    const state = await getChainOrFail(trx)
    const checkpoint = { checkpoint_sequence: Number(last.sequence), checkpoint_hash: last.hash }
    await saveChain({ ...state, ...checkpoint }, trx)
    return Number(await trx.from('audit_events').where('sequence', '<=', last.sequence).delete())
  })
}

/** Stops at the first young link, so that the chain has no gap. */
async function findOldLinks({ before, now, size }: Bounds, trx: Transaction) {
  const first = await trx
    .from('audit_events')
    .whereNotNull('sequence')
    .orderBy('sequence')
    .limit(size)
    .select('sequence', 'hash', 'occurred_at')
  const times = first.map((row) => Number(row.occurred_at))
  const young = times.findIndex((time) => time >= before && time <= now)
  const end = times.slice(0, young === -1 ? size : young).findLastIndex((time) => time < before)
  return first.slice(0, end + 1)
}
