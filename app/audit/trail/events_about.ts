import { replicaOrPrimary } from '#database/replica'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'

/* Each half has its index: one condition on both columns would sort every event of the user. */

type Query = DatabaseQueryBuilderContract<any>

export interface EventRange {
  order: 'asc' | 'desc'
  beside?: string
  offset?: number
  limit: number
}

/** @param filtered makes a query with all other filters */
export async function selectEventsAbout(userId: string, filtered: () => Query, range: EventRange) {
  const ids = await selectIdsAbout(userId, filtered, range)
  const query = replicaOrPrimary().from('audit_events').whereIn('id', ids)
  return ids.length === 0 ? [] : query.orderBy('id', range.order)
}

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
