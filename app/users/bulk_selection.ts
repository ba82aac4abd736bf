import { createHash } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import { selectUsers, type UserFilter } from './list/filter.ts'

/* If the users of a form have changed, their fingerprint differs and the page asks again before it deletes. */

/** Users of one request; the page continues with the next batch. */
export const BATCH_SIZE = 100

export interface BulkSelection {
  ids: string[]
  fingerprint: string
}

interface BulkRange {
  besides: string
  after?: string
}

export async function selectForBulk(
  filter: UserFilter,
  { besides, after }: BulkRange
): Promise<BulkSelection> {
  const selection = await selectUsers(filter)
  const query = selection.query({ client: db.connection() }).select('id').orderBy('id')
  query.whereNot('id', besides)
  if (after) query.where('id', '>', after)
  const users = await query.limit(limits.bulkUsers + 1)
  return selectionOf(users.map(({ id }) => id))
}

export function selectionOf(ids: string[]): BulkSelection {
  return { ids, fingerprint: createHash('sha256').update(ids.join()).digest('base64url') }
}
