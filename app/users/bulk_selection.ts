import { createHash } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import { selectUsers, type UserFilter } from './list/filter.ts'

/*
 | All users who pass a filter, for one action on all of them. The page that asks whether to
 | go on names their number; its form carries a fingerprint of their ids. When somebody has
 | joined or left them since, the fingerprint differs and the page asks again: nobody is
 | deleted whom the administrator was not asked about.
 */

/** More at once would be no choice any more: whoever means a million users uses a command. */
export const MAX_SELECTED = 10_000

/** Users of one request; the page goes on with the next ones. */
export const BATCH_SIZE = 100

export interface BulkSelection {
  /** In their order; one more than `MAX_SELECTED` when there are too many. */
  ids: string[]
  fingerprint: string
}

interface BulkRange {
  /** Who acts, and whom no bulk action reaches. */
  besides: string
  /** The last user of the batches before. */
  after?: string
}

/** The ids of the users who pass a filter now. */
export async function selectForBulk(
  filter: UserFilter,
  { besides, after }: BulkRange
): Promise<BulkSelection> {
  const selection = await selectUsers(filter)
  const query = selection.query(db.connection()).select('id').orderBy('id')
  query.whereNot('id', besides)
  if (after) query.where('id', '>', after)
  const users = await query.limit(MAX_SELECTED + 1)
  return selectionOf(users.map(({ id }) => id))
}

export function selectionOf(ids: string[]): BulkSelection {
  return { ids, fingerprint: createHash('sha256').update(ids.join()).digest('base64url') }
}
