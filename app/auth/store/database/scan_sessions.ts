import type { Database } from '@adonisjs/lucid/database'
import type { ScanRequest, SessionPage } from '#auth/store/contract'
import { fromRow } from './session_row.ts'

/** A cursor contains the last activity and the id of the page's last session. */
const CURSOR = /^(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

export async function scanSessions(
  db: Database,
  { cursor, limit, now }: ScanRequest
): Promise<SessionPage> {
  const query = db
    .from('sessions')
    .where('expires_at', '>', now)
    .orderBy('last_activity_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
  const after = CURSOR.exec(cursor ?? '')
  if (after) query.whereRaw('(last_activity_at, id) < (?, ?)', [Number(after[1]), after[2]])
  const rows = await query
  const sessions = rows.slice(0, limit).map(fromRow)
  const last = sessions.at(-1)
  const nextCursor = last && rows.length > limit ? `${last.lastActivityAt}.${last.id}` : null
  return { sessions, nextCursor }
}
