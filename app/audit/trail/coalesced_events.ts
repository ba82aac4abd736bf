import { v7 as uuidv7 } from 'uuid'
import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import settings from '#config/audit'
import { selectRows } from '#database/select_rows'
import { endWindow, endWindows, HAS_ENDED, windowOf } from './end_coalescing.ts'
import { keyFor, mac } from '#database/keyed_hash'
import { recordAudit, type AuditEntry } from '#audit/record_audit'
import type { Transaction } from '#database/transaction'

/*
 | A client can cause refusals at will: each window records the first one, and one event that counts
 | the others. This file and `end_coalescing.ts` own `audit_floods`.
 */

/** A cause may be an address, which an attacker could guess from a plain hash. */
const KEY = keyFor('gatehouse floods')

/** Uses its own transaction. @param cause distinguishes the floods of an action, such as a user */
export async function coalesceEvent(entry: AuditEntry, cause: string[]) {
  if (await countRepeated(entry.action, cause)) return
  const key = keyOf(entry.action, cause)
  const now = Date.now()
  await db.transaction(async (trx) => {
    await endWindow(key, now, trx)
    const id = uuidv7()
    if (await beginWindow({ key, id, now }, trx)) await recordAudit({ ...entry, id }, trx)
  })
}

/**
 * Runs as a statement of its own, so that a repeated refusal costs no sync of the disk.
 * @returns whether the window of this cause has an event, which counts this one
 */
export async function countRepeated(action: string, cause: string[]) {
  const key = keyOf(action, cause)
  const rows = await selectRows(
    db.connection(),
    `UPDATE audit_floods SET later = later + 1 WHERE key = :key AND NOT ${HAS_ENDED} RETURNING key`,
    { key, ...windowOf(Date.now()) }
  )
  if (rows.length === 1) scheduleFlush()
  return rows.length === 1
}

function keyOf(action: string, cause: string[]) {
  return mac(KEY, [action, ...cause])
}

async function beginWindow(
  { key, id, now }: { key: string; id: string; now: number },
  trx: Transaction
) {
  const [{ later }] = await selectRows<{ later: number }>(
    trx,
    `INSERT INTO audit_floods (key, event_id, ends_at, later) VALUES (:key, :id, :endsAt, 0)
     ON CONFLICT (key) DO UPDATE SET later = audit_floods.later + 1 RETURNING later`,
    { key, id, endsAt: now + settings.coalescingMs }
  )
  return later === 0
}

let flush: NodeJS.Timeout | null = null

/** Pruning ends the windows of processes that died. */
function scheduleFlush() {
  flush ??= setTimeout(() => {
    flush = null
    endWindows().catch((error) => logger.warn({ err: error }, 'coalesced events were not recorded'))
  }, settings.coalescingMs + 1_000).unref()
}
