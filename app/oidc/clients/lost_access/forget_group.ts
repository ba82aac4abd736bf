import { queueEndOfAccess } from './end_access_job.ts'
import { lockClientsWith } from '#oidc/clients/access/restricted_clients'
import type { Transaction } from '#database/transaction'

/** In the transaction of its deletion: the client waits for no other change that names the group. */
export async function forgetGroup(groupId: string, trx: Transaction) {
  for (const { id, clientId, access, allowedGroupIds } of await lockClientsWith(groupId, trx)) {
    const left = allowedGroupIds.filter((each) => each !== groupId)
    const columns = { allowed_groups: JSON.stringify(left), updated_at: Date.now() }
    await trx.from('oauth_clients').where('id', id).update(columns)
    if (access === 'groups') await queueEndOfAccess(clientId, trx)
  }
}
