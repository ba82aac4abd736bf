import db from '@adonisjs/lucid/services/db'
import type { Transaction } from '#database/transaction'
import { toEvent } from '#audit/event_row'
import { toRecords } from '#audit/trail/audit_record'

/** Returns events as administrators read them, oldest first. */
export async function recordsWhere(where: object) {
  const rows = await db.from('audit_events').where(where).orderBy('id')
  return toRecords(rows.map(toEvent))
}

/** Inserts events that the product cannot have made. Their ids precede all others. */
export async function insertForged(count: number, values: { occurred_at?: number } = {}) {
  const rows = Array.from({ length: count }, (_, index) => ({
    id: `00000000-0000-7000-8000-${index.toString(16).padStart(12, '0')}`,
    occurred_at: Date.now(),
    action: 'account.updated',
    outcome: 'success',
    actor: 'system',
    details: '{}',
    mac: 'x'.repeat(43),
    ...values,
  }))
  for (let at = 0; at < count; at += 100) {
    await db.table('audit_events').multiInsert(rows.slice(at, at + 100))
  }
  return rows.map(({ id }) => id)
}

/** Removes events, as only an attacker with full access to the database can. */
export function removeEvents(ids: string[]) {
  return db.transaction(async (trx) => {
    const enable = await disableDeleteTrigger(trx)
    for (let at = 0; at < ids.length; at += 100) {
      await trx
        .from('audit_events')
        .whereIn('id', ids.slice(at, at + 100))
        .delete()
    }
    await trx.rawQuery(enable)
  })
}

/** Disables the trigger, and returns the statement that enables it again. */
async function disableDeleteTrigger(trx: Transaction) {
  if (trx.dialect.name === 'postgres') {
    await trx.rawQuery('ALTER TABLE audit_events DISABLE TRIGGER audit_events_kept')
    return 'ALTER TABLE audit_events ENABLE TRIGGER audit_events_kept'
  }
  const { sql } = await trx.from('sqlite_master').where('name', 'audit_events_kept').firstOrFail()
  await trx.rawQuery('DROP TRIGGER audit_events_kept')
  return sql as string
}
