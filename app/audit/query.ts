import { validate as isUuid } from 'uuid'
import { selectRows } from '#database/select_rows'
import { replicaOrPrimary } from '#database/replica'
import { countEventsAbout, selectEventsAbout, type EventRange } from './events_about.ts'
import { countEvents } from './chain_state.ts'
import { lookupHash } from './chain.ts'
import { toRecords } from './record.ts'
import type { Transaction } from '#database/transaction'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'

/*
 | Reading the audit trail, the newest event first, for the API, the console and the
 | commands alike. Ids are UUID v7 and grow with time, so they order the events and serve
 | as cursors.
 */

export interface AuditFilter {
  /** The name of an actor, or the id of a user who acted. */
  actor?: string
  target?: string
  /** One action, or any of several. */
  action?: string | string[]
  outcome?: 'success' | 'failure'
  ip?: string
  /** The address that a guess named and nobody had, in its canonical form. */
  email?: string
  /** Milliseconds since the epoch, inclusive. */
  from?: number
  /** Milliseconds since the epoch, exclusive. */
  to?: number
  /** The id of a user who acted or was acted upon. */
  about?: string
}

interface NumberedPage {
  /** Counted from 1. */
  page: number
  limit: number
  /** The id of the event before the first page. */
  cursor?: string
}

/** One page of the events that pass the filter, and how many pass it. */
export async function listAuditEvents(filter: AuditFilter, { page, limit, cursor }: NumberedPage) {
  const offset = (page - 1) * limit
  const [rows, total] = await Promise.all([
    selectEvents(filter, { order: 'desc', beside: cursor, offset, limit }),
    countAuditEvents(filter),
  ])
  return { events: await toRecords(rows), total }
}

interface CursorPage {
  /** The id of the last event of the page before. */
  after?: string
  limit: number
}

/** One page after an event, at the same cost at any depth, and whether there are more. */
export async function listAuditEventsAfter(filter: AuditFilter, { after, limit }: CursorPage) {
  const rows = await selectEvents(filter, { order: 'desc', beside: after, limit: limit + 1 })
  return { events: await toRecords(rows.slice(0, limit)), hasMore: rows.length > limit }
}

export async function findEvent(id: string, trx: Transaction) {
  const row = await trx.from('audit_events').where('id', id).first()
  const [record] = row ? await toRecords([row], trx) : [null]
  return record
}

/** Every event about a user, the oldest first, in portions that take a few milliseconds each. */
export async function* walkEventsAbout(userId: string) {
  let beside: string | undefined
  for (;;) {
    const range: EventRange = { order: 'asc', beside, limit: PORTION }
    const rows = await selectEvents({ about: userId }, range)
    if (rows.length > 0 || !beside) yield await toRecords(rows)
    if (rows.length < PORTION) return
    beside = rows.at(-1).id
  }
}

const PORTION = 200

/** Counting the events about one user stops here: nobody reads further, and it takes long. */
export const MAX_COUNT_ABOUT = 1_001

async function countAuditEvents(filter: AuditFilter) {
  const { about, ...others } = filter
  if (about) return countEventsAbout(about, () => matching(others), MAX_COUNT_ABOUT)
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  if (!isFiltered) return countEvents(replicaOrPrimary())
  const [row] = await matching(filter).count('* as total')
  return Number(row.total)
}

async function selectEvents({ about, ...filter }: AuditFilter, range: EventRange) {
  if (about) return selectEventsAbout(about, () => matching(filter), range)
  const { order, beside, offset = 0, limit } = range
  const query = matching(filter).orderBy('id', order).offset(offset).limit(limit)
  return beside ? query.where('id', order === 'asc' ? '>' : '<', beside) : query
}

function matching(filter: Omit<AuditFilter, 'about'>): DatabaseQueryBuilderContract<any> {
  const { actor, target, action, outcome, ip, email, from, to } = filter
  const query = replicaOrPrimary().from('audit_events')
  if (actor) query.where('actor', isUuid(actor) ? `user:${actor}` : actor)
  if (target) query.where('target_id', target)
  if (action) query.whereIn('action', [action].flat())
  if (outcome) query.where('outcome', outcome)
  if (ip) query.where('ip_hash', lookupHash('ip', ip))
  if (email) query.where('email_hash', lookupHash('email', email))
  if (from !== undefined) query.where('occurred_at', '>=', from)
  if (to !== undefined) query.where('occurred_at', '<', to)
  return query
}

/**
 * The actions that occur in the trail. Each is found from the one before it through the
 * index, so that a long trail is not read for a short list (a loose index scan).
 */
export async function listAuditActions(): Promise<string[]> {
  const rows = await selectRows<{ action: string }>(
    replicaOrPrimary(),
    `WITH RECURSIVE found(action) AS (
       SELECT min(action) FROM audit_events
       UNION ALL
       SELECT (SELECT min(action) FROM audit_events WHERE action > found.action)
       FROM found WHERE found.action IS NOT NULL)
     SELECT action FROM found WHERE action IS NOT NULL`,
    []
  )
  return rows.map((row) => row.action)
}
