import db from '@adonisjs/lucid/services/db'
import { assertMay } from '#auth/callers/permissions'
import { assertActive } from '#auth/lock_for_change'
import { record } from '#events/record'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

// A restored copy on a test machine must send nothing: mails, webhooks, logout messages and scheduled
// backups are paused until an operator resumes them.

const TABLE = 'outbound_pauses'

/** Every process notices a change within this time. */
const REMEMBERED_MS = 1_000

export interface OutboundPause {
  reason: string
  pausedAt: Date
}

let remembered: Promise<OutboundPause | null> | null = null
let rememberedUntil = 0

export async function isOutboundPaused() {
  return (await findOutboundPause()) !== null
}

export function findOutboundPause() {
  if (remembered && performance.now() < rememberedUntil) return remembered
  rememberedUntil = performance.now() + REMEMBERED_MS
  remembered = read().catch((error) => {
    remembered = null
    throw error
  })
  return remembered
}

async function read(): Promise<OutboundPause | null> {
  const row = await db.connection().getWriteClient()(TABLE).first()
  return row ? { reason: row.reason, pausedAt: new Date(Number(row.paused_at)) } : null
}

/** For callers in a transaction, which no other connection may join on SQLite. */
export async function isPausedWithin(trx: Transaction) {
  return (await trx.from(TABLE).first()) !== null
}

/** @param reason a sentence for operators, such as that a backup was restored */
export async function pauseOutbound(trx: Transaction, { reason }: { reason: string }) {
  const row = { id: 1, reason: reason.slice(0, 200), paused_at: Date.now() }
  await trx.knexQuery().insert(row).into(TABLE).onConflict('id').merge(['reason', 'paused_at'])
  trx.after('commit', forget)
}

function forget() {
  remembered = null
}

/** @returns false if nothing was paused. @throws E_TOKEN_REVOKED, and what `assertMay` throws */
export async function resumeOutbound(actor: Actor) {
  assertMay('outbound.resume', actor)
  const isResumed = await db.transaction(async (trx) => {
    await assertActive(actor, trx)
    const row = await trx.from(TABLE).forUpdate().first()
    if (!row) return false
    await trx.from(TABLE).delete()
    const details = { reason: row.reason, pausedAt: new Date(Number(row.paused_at)).toISOString() }
    await record(trx, { type: 'backup.resumed', user: null, actor, details })
    return true
  })
  forget()
  return isResumed
}
