import db from '@adonisjs/lucid/services/db'
import { SYSTEM } from '#audit/actor'
import { yieldToEventLoop } from '#database/batches'
import { record } from '#events/record'
import { detailsOf, type Group } from '../group.ts'
import { lockGroups } from '../group_rows.ts'
import { findNamedByApplications, prepareGroupUses } from '../uses.ts'
import type { Transaction } from '#database/transaction'

const DAY_MS = 86_400_000

/** Groups per transaction. Each creates a configuration version: all clients are read again. */
export const BATCH = 20

/**
 * Deletes groups that sign-ins made and that have no member, no use and no administrator's text.
 * Names that users choose at a provider must not fill the limit of all groups.
 * @returns the number of deleted groups
 */
export async function deleteUnusedGroups(now = Date.now()) {
  const ids = await findUnused(now - DAY_MS)
  let deleted = 0
  for (let at = 0; at < ids.length; at += BATCH) {
    const batch = ids.slice(at, at + BATCH)
    await prepareGroupUses()
    deleted += await db.transaction((trx) => deleteUnlessUsed(batch, trx))
    await yieldToEventLoop()
  }
  return deleted
}

async function findUnused(before: number): Promise<string[]> {
  const rows = await db
    .from('groups')
    .where('name', 'like', '%:%')
    .where('member_count', 0)
    .whereNull('title')
    .whereNull('description')
    .where('created_at', '<', before)
    .select('id')
  return rows.map(({ id }) => id)
}

/** A sign-in that adds a member locks the group as well. */
async function deleteUnlessUsed(ids: string[], trx: Transaction) {
  const locked = await lockGroups(ids, trx)
  const empty = locked.filter(({ memberCount }) => memberCount === 0)
  const named = await findNamedByApplications(empty, trx)
  const isNamed = new Set(named.map(({ id }) => id))
  const unused = empty.filter(({ id }) => !isNamed.has(id))
  for (const group of unused) await deleteRow(group, trx)
  return unused.length
}

async function deleteRow(group: Group, trx: Transaction) {
  await trx.from('groups').where('id', group.id).delete()
  const details = { ...detailsOf(group), members: 0 }
  const context = { isUnnamed: true as const }
  await record(trx, { type: 'group.deleted', user: null, actor: SYSTEM, details, context })
}
