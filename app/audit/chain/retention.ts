import { setTimeout as wait } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import settings from '#config/audit'
import { BATCH_SIZE, yieldToEventLoop } from '#database/batches'
import { getChainOrFail, lockChain, saveChain } from './chain_state.ts'
import type { Transaction } from '#database/transaction'

/** Tries while a sealer holds the chain. The next pruning removes the remaining events. */
const [BUSY_TRIES, BUSY_MS] = [20, 100]

type FindLastRemovable = (trx: Transaction, before: number) => Promise<number | null>

let findLastRemovable: FindLastRemovable = async () => null

/** Keeps events behind the found position even if older than `before`; null keeps none. */
export function setRemovalLimit(find: FindLastRemovable) {
  findLastRemovable = find
}

/** Verification starts from the checkpoint, which each batch seals in its own transaction. */
export async function removeOldEvents(now: number) {
  if (settings.retentionMs === null) return 0
  const bounds = { before: now - settings.retentionMs, now }
  let [total, tries] = [0, 0]
  while (tries < BUSY_TRIES) {
    const removed = await removeBatch(bounds)
    if (removed === 0) return total
    total += removed ?? 0
    tries = removed === null ? tries + 1 : 0
    await (removed === null ? wait(BUSY_MS) : yieldToEventLoop())
  }
  return total
}

interface Bounds {
  before: number
  now: number
}

/** Returns null while another transaction holds the chain. */
function removeBatch(bounds: Bounds) {
  return db.transaction(async (trx) => {
    if (!(await lockChain(trx))) return null
    const needed = (await findLastRemovable(trx, bounds.before)) ?? Number.MAX_SAFE_INTEGER
    const links = await findOldLinks(bounds, trx)
    const old = links.filter(({ sequence }) => Number(sequence) <= needed)
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
