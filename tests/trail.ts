import db from '@adonisjs/lucid/services/db'
import { toEvent } from '#audit/event_row'
import { toRecords } from '#audit/record'

/** Events as administrators read them, the oldest first. */
export async function recordsWhere(where: object) {
  const rows = await db.from('audit_events').where(where).orderBy('id')
  return toRecords(rows.map(toEvent))
}
