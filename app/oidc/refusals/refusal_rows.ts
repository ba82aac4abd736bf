import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import { selectRows } from '#database/select_rows'
import type { RefusalReason } from './reasons.ts'

/* This file owns `oauth_refusals`. */

export interface RefusalLine {
  reason: RefusalReason
  sent: string | null
  count: number
  firstAt: number
  lastAt: number
}

export type ListedRefusal = RefusalLine & { isTrusted: boolean }

export interface RefusalGroup {
  /** The public id. Rows contain the internal id, so that a reused public id inherits nothing. */
  clientId: string
  isTrusted: boolean
}

const LINE = `SELECT CAST(? AS varchar(40)) AS reason, CAST(? AS varchar(200)) AS sent,
  CAST(? AS bigint) AS count, CAST(? AS bigint) AS first_at, CAST(? AS bigint) AS last_at`

/** Uses one statement for any number of lines. Ids that no client has are ignored. */
export async function upsertRefusals(
  { clientId, isTrusted }: RefusalGroup,
  lines: RefusalLine[],
  now: number
) {
  const oldest = now - limits.refusals.keptMs
  const sorted = lines.toSorted((one, other) => keyOf(one).localeCompare(keyOf(other)))
  const values = sorted.flatMap(({ reason, sent, count, firstAt, lastAt }) => [
    reason,
    sent ?? '',
    count,
    firstAt,
    lastAt,
  ])
  await selectRows(
    db.connection(),
    `INSERT INTO oauth_refusals (client_id, is_trusted, reason, sent, count, first_at, last_at)
     SELECT oauth_clients.id, CAST(? AS smallint), lines.reason, lines.sent, lines.count,
       lines.first_at, lines.last_at
     FROM oauth_clients, (${lines.map(() => LINE).join(' UNION ALL ')}) AS lines
     WHERE oauth_clients.client_id = ?
     ON CONFLICT (client_id, is_trusted, reason, sent) DO UPDATE SET
       count = excluded.count +
         CASE WHEN oauth_refusals.last_at > ? THEN oauth_refusals.count ELSE 0 END,
       first_at = CASE WHEN oauth_refusals.last_at > ? THEN oauth_refusals.first_at
         ELSE excluded.first_at END,
       last_at = CASE WHEN oauth_refusals.last_at > excluded.last_at THEN oauth_refusals.last_at
         ELSE excluded.last_at END
     RETURNING 1`,
    [Number(isTrusted), ...values, clientId, oldest, oldest]
  )
}

/** All processes upsert in the same order, so that they cannot deadlock. */
function keyOf({ reason, sent }: RefusalLine) {
  return JSON.stringify([reason, sent])
}

export async function removeOldestRefusals({ clientId, isTrusted }: RefusalGroup) {
  const rows = `oauth_refusals WHERE is_trusted = :trusted
    AND client_id = (SELECT id FROM oauth_clients WHERE client_id = :clientId)`
  await db.rawQuery(
    `DELETE FROM ${rows} AND (last_at, reason, sent) <= (
       SELECT last_at, reason, sent FROM ${rows}
       ORDER BY last_at DESC, reason DESC, sent DESC LIMIT 1 OFFSET :lines)`,
    { trusted: Number(isTrusted), clientId, lines: limits.refusals.limit }
  )
}

/** @param ids of the API */
export async function sumRefusals(ids: string[], now: number): Promise<Map<string, number>> {
  const rows = await db
    .from('oauth_refusals')
    .whereIn('client_id', ids)
    .where('last_at', '>', now - limits.refusals.keptMs)
    .groupBy('client_id')
    .select('client_id')
    .sum({ total: 'count' })
  return new Map(rows.map(({ client_id: id, total }) => [id, Number(total)]))
}

/** @param id of the API */
export async function selectRefusals(id: string, now: number): Promise<ListedRefusal[]> {
  const rows = await db
    .from('oauth_refusals')
    .where('client_id', id)
    .where('last_at', '>', now - limits.refusals.keptMs)
    .orderBy([
      { column: 'is_trusted', order: 'desc' },
      { column: 'last_at', order: 'desc' },
      { column: 'reason' },
      { column: 'sent' },
    ])
  return rows.map((row) => ({
    isTrusted: Number(row.is_trusted) === 1,
    reason: row.reason,
    sent: row.sent || null,
    count: Number(row.count),
    firstAt: Number(row.first_at),
    lastAt: Number(row.last_at),
  }))
}
