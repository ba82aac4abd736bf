import { replicaOrPrimary } from '#database/replica'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'

/*
 | The events about one user: those that they caused and those that happened to them. Each
 | half is read through its own index, in the order of the index, and no further than the
 | page goes. A condition on both columns at once would read and sort every event of the
 | user, which at 100,000 of them keeps an embedded database busy for everybody.
 */

type Query = DatabaseQueryBuilderContract<any>

export interface EventRange {
  order: 'asc' | 'desc'
  /** The id beside which the range begins, exclusive. */
  beside?: string
  offset?: number
  limit: number
}

/**
 * The rows of a range of the events about a user.
 *
 * @param filtered makes a query of the events that pass all other filters
 */
export async function selectEventsAbout(userId: string, filtered: () => Query, range: EventRange) {
  const ids = await selectIdsAbout(userId, filtered, range)
  const query = replicaOrPrimary().from('audit_events').whereIn('id', ids)
  return ids.length === 0 ? [] : query.orderBy('id', range.order)
}

/** Counts the events about a user up to a limit. */
export async function countEventsAbout(userId: string, filtered: () => Query, limit: number) {
  const ids = await selectIdsAbout(userId, filtered, { order: 'desc', limit })
  return ids.length
}

async function selectIdsAbout(userId: string, filtered: () => Query, range: EventRange) {
  const { order, beside, offset = 0, limit } = range
  const halfOf = (column: string) => {
    const half = filtered().where(column, userId).select('id').orderBy('id', order)
    if (beside) half.where('id', order === 'asc' ? '>' : '<', beside)
    return replicaOrPrimary()
      .from(half.limit(offset + limit).as(column))
      .select('id')
  }
  const rows = await halfOf('target_id')
    .union(halfOf('actor_id'))
    .orderBy('id', order)
    .offset(offset)
    .limit(limit)
  return rows.map(({ id }) => id as string)
}
