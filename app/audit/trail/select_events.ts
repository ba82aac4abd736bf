import { validate as isUuid } from 'uuid'
import { canonicalId } from '#database/canonical_id'
import { replicaOrPrimary } from '#database/replica'
import { countEventsAbout, selectEventsAbout, type EventRange } from './events_about.ts'
import { countEvents } from '#audit/chain/chain_state'
import { lookupHash } from '#audit/privacy/personal_data'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'

export interface AuditFilter {
  /** The name of an actor, or the id of a user who acted, also by an API key or an application. */
  actor?: string
  target?: string
  action?: string | string[]
  outcome?: 'success' | 'failure'
  ip?: string
  /** The unregistered address of a guess, in its canonical form. */
  email?: string
  /** Milliseconds since the epoch, inclusive. */
  from?: number
  /** Milliseconds since the epoch, exclusive. */
  to?: number
  about?: string
}

/** Counting further takes long and serves no reader. */
const MAX_COUNT = 1_001

/** @returns a count up to the limit; without a filter, the number of all events */
export async function countAuditEvents(filter: AuditFilter, limit = MAX_COUNT) {
  const { about, ...others } = filter
  if (about) return countEventsAbout(about, () => matching(others), limit)
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  if (!isFiltered) return countEvents(replicaOrPrimary())
  const some = matching(filter).select('id').limit(limit).as('some')
  const [row] = await replicaOrPrimary().from(some).count('* as total')
  return Number(row.total)
}

export async function selectEvents({ about, ...filter }: AuditFilter, range: EventRange) {
  if (about) return selectEventsAbout(about, () => matching(filter), range)
  const { order, beside, offset = 0, limit } = range
  const query = matching(filter).orderBy('id', order).offset(offset).limit(limit)
  return beside ? query.where('id', order === 'asc' ? '>' : '<', beside) : query
}

function matching(filter: Omit<AuditFilter, 'about'>): DatabaseQueryBuilderContract<any> {
  const { actor, target, action, outcome, ip, email, from, to } = filter
  const query = replicaOrPrimary().from('audit_events')
  if (actor) query.where(isUuid(actor) ? 'actor_id' : 'actor', canonicalId(actor))
  if (target) query.where('target_id', canonicalId(target))
  if (action) query.whereIn('action', [action].flat())
  if (outcome) query.where('outcome', outcome)
  if (ip) query.where('ip_hash', lookupHash('ip', ip))
  if (email) query.where('email_hash', lookupHash('email', email))
  if (from !== undefined) query.where('occurred_at', '>=', from)
  if (to !== undefined) query.where('occurred_at', '<', to)
  return query
}
