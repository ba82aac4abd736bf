import db from '@adonisjs/lucid/services/db'
import { yieldToEventLoop } from '#database/batches'
import { existingGroupIds } from '#groups/names_of'
import { prepareNamedGroups } from '#oidc/clients/access/named_groups'
import { forgetGroup } from './forget_group.ts'

/** The number of ids in one statement. */
export const CHUNK_SIZE = 1_000

/**
 * A backup that was made while a group was being deleted contains no job that forgets the group.
 * @returns the number of changed clients
 */
export async function forgetDeletedGroups() {
  const { allowedIds } = await prepareNamedGroups()
  let changed = 0
  for (const id of await deletedAmong([...allowedIds])) {
    changed += await forgetGroup(id)
    await yieldToEventLoop()
  }
  return changed
}

/** Uses transactions, which no replica answers: it may lack a group that a client already names. */
export async function deletedAmong(ids: string[]) {
  const deleted: string[] = []
  for (let at = 0; at < ids.length; at += CHUNK_SIZE) {
    const chunk = ids.slice(at, at + CHUNK_SIZE)
    const existing = new Set(await db.transaction((trx) => existingGroupIds(chunk, trx)))
    deleted.push(...chunk.filter((id) => !existing.has(id)))
    await yieldToEventLoop()
  }
  return deleted
}
