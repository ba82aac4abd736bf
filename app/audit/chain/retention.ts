import db from '@adonisjs/lucid/services/db'
import settings from '#config/audit'
import { BATCH_SIZE, letOthersIn } from '#database/batches'
import { getChainOrFail, lockChain, saveChain } from './chain_state.ts'
import type { Transaction } from '#database/transaction'

/** Verification starts from the checkpoint, which each batch seals in its own transaction. */
export async function removeOldEvents(now: number) {
  if (settings.retentionMs === null) return 0
  const bounds = { before: now - settings.retentionMs, now }
  let total = 0
  for (;;) {
    const removed = await removeBatch(bounds)
    if (removed === 0) return total
    total += removed
    await letOthersIn()
  }
}

interface Bounds {
  before: number
  now: number
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
async function findOldLinks({ before, now }: Bounds, trx: Transaction) {
  const links = trx.from('audit_events').whereNotNull('sequence').orderBy('sequence')
  const columns = ['sequence', 'hash', 'occurred_at']
  const first = await links.clone().limit(BATCH_SIZE).select(columns)
  const times = first.map((row) => Number(row.occurred_at))
  if (times.every((time) => time > now)) {
    const next = await links.where('occurred_at', '<=', now).select('occurred_at').first()
    return next && Number(next.occurred_at) < before ? first : []
  }
  const young = times.findIndex((time) => time >= before && time <= now)
  const end = times.slice(0, young === -1 ? undefined : young).findLastIndex((t) => t < before)
  return first.slice(0, end + 1)
}
