import db from '@adonisjs/lucid/services/db'
import { inBatches } from '#database/batches'
import { lockClientsWith } from '#oidc/clients/access/restricted_clients'
import { queueEndOfAccess } from './end_access_job.ts'
import type { Transaction } from '#database/transaction'

/** Each client is written with all its addresses and keys, which takes 0.2 ms on SQLite. */
export const CLIENTS = 50

/** The id of a deleted group gives no access, so the rows of clients that name it can wait. */
export function forgetGroup(groupId: string) {
  return inBatches((size) => db.transaction((trx) => forgetSome(groupId, size, trx)), CLIENTS)
}

/** @returns the number of clients that named the group */
export async function forgetSome(groupId: string, size: number, trx: Transaction) {
  const clients = await lockClientsWith(groupId, size, trx)
  for (const { id, clientId, access, allowedGroupIds } of clients) {
    const left = allowedGroupIds.filter((each) => each !== groupId)
    const columns = { allowed_groups: JSON.stringify(left), updated_at: Date.now() }
    await trx.from('oauth_clients').where('id', id).update(columns)
    if (access === 'groups') await queueEndOfAccess({ clientId }, trx)
  }
  return clients.length
}
