import db from '@adonisjs/lucid/services/db'
import settings from '#config/audit'
import { yieldToEventLoop } from '#database/batches'
import { selectRows } from '#database/select_rows'
import { findEvent } from './query.ts'
import { recordAudit, type AuditEntry } from '#audit/record_audit'
import type { AuditRecord } from './audit_record.ts'
import type { Transaction } from '#database/transaction'

/** Clocks of processes differ, and concurrent requests read the time before they write. */
const SKEW_MS = 60_000

/** A window too far in the future is from before the clock was set back: it counts as ended. */
export const HAS_ENDED = '(ends_at <= :now OR ends_at > :latest)'

export const windowOf = (now: number) => ({ now, latest: now + settings.coalescingMs + SKEW_MS })

export async function endWindow(key: string, now: number, trx: Transaction) {
  const [ended] = await selectRows<{ event_id: string; later: number }>(
    trx,
    `DELETE FROM audit_floods WHERE key = :key AND ${HAS_ENDED} RETURNING event_id, later`,
    { key, ...windowOf(now) }
  )
  const first = ended?.later ? await findEvent(ended.event_id, trx) : null
  if (first) await recordAudit(repetitionOf(first, ended.later), trx)
}

/** Contains no address, because the later refusals may come from others. */
function repetitionOf(first: AuditRecord, count: number): AuditEntry {
  const { action, outcome, targetId, actor: name, actorId } = first
  const actor = { name, id: actorId, ip: null, userAgent: null }
  const details = { ...first.details, count, firstEvent: first.id }
  return { action, outcome, targetId, actor, details }
}

export async function endWindows(now = Date.now()) {
  const ended = await selectRows<{ key: string }>(
    db.connection(),
    `SELECT key FROM audit_floods WHERE ${HAS_ENDED} ORDER BY ends_at LIMIT 1000`,
    windowOf(now)
  )
  for (const { key } of ended) {
    await db.transaction((trx) => endWindow(key, now, trx))
    await yieldToEventLoop()
  }
  return ended.length
}
