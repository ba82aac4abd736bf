import { selectRows } from '#database/select_rows'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { Transaction } from '#database/transaction'

/* How far the trail was cut for each enabled webhook. */

export interface Cursor {
  id: string
  events: string[]
  /** Null until the event is sealed that enabled the webhook. */
  cut: number | null
  startsWith: string | null
  cutAt: number | null
}

/** @param head the last sealed event; 0 before the first one */
export interface Cursors {
  head: number
  cursors: Cursor[]
}

type Row = { head: number | string | null } & Record<'id' | 'events', string> &
  Record<'starts_with', string | null> &
  Record<'cut_sequence' | 'cut_at', number | string | null>

/** One statement, because two would see different moments. */
export async function readCursors(client: QueryClientContract): Promise<Cursors> {
  const rows = await selectRows<Row>(
    client,
    `SELECT id, events, starts_with, cut_sequence, cut_at,
       (SELECT sequence FROM audit_chain WHERE id = 1) AS head
     FROM webhooks WHERE disabled_at IS NULL ORDER BY id`,
    []
  )
  const cursors = rows.map((row) => ({
    id: row.id,
    events: JSON.parse(row.events),
    cut: numberOrNull(row.cut_sequence),
    startsWith: row.starts_with,
    cutAt: numberOrNull(row.cut_at),
  }))
  return { head: Number(rows.at(0)?.head ?? 0), cursors }
}

const numberOrNull = (value: number | string | null) => (value === null ? null : Number(value))

/** @throws if a change moved one of them meanwhile: the transaction begins again */
export async function moveCursors(
  cursors: Cursor[],
  { to, now }: { to: number; now: number },
  trx: Transaction
) {
  for (const { id, cut } of cursors) {
    const query = trx.from('webhooks').where('id', id).whereNull('disabled_at')
    const found = cut === null ? query.whereNull('cut_sequence') : query.where('cut_sequence', cut)
    const columns = { cut_sequence: to, starts_with: null, cut_at: now }
    if (Number(await found.update(columns)) !== 1) throw new CursorMovedError()
  }
}

export class CursorMovedError extends Error {
  name = 'CursorMovedError'
}

/** Retention keeps what comes behind; null if all was cut. */
export async function firstUncut(trx: Transaction): Promise<number | null> {
  const [row] = await trx.from('webhooks').whereNull('disabled_at').min('cut_sequence as cut')
  return numberOrNull(row.cut)
}
