import db from '@adonisjs/lucid/services/db'
import store from '#auth/store/service'
import { fromRow } from '#auth/store/database/session_row'
import type { SessionRecord } from '#auth/store/contract'

/** Returns null on Redis, which keeps sessions by user: reading all of them would cost too much. */
export async function findSessionById(id: string): Promise<SessionRecord | null> {
  if (store.driver !== 'database') return null
  const active = db.from('sessions').where('id', id).where('expires_at', '>', Date.now())
  const row = await active.first()
  return row ? fromRow(row) : null
}
