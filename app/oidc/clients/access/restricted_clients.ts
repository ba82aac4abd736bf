import db from '@adonisjs/lucid/services/db'
import { groupIdsOf } from '#oidc/clients/client_row'
import { ALLOWED } from './read_named_groups.ts'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { OAuthClient } from '#oidc/clients/client'
import type { Transaction } from '#database/transaction'

const GROUPS = { access: 'groups' }

export type RestrictedClient = Pick<OAuthClient, 'id' | 'clientId' | 'access' | 'allowedGroupIds'>

const COLUMNS = ['id', 'client_id', 'access', 'allowed_groups']

/** The result may contain ids of deleted groups. */
function toRestricted(row: any): RestrictedClient {
  const { id, client_id: clientId, access } = row
  return { id, clientId, access, allowedGroupIds: groupIdsOf(row) }
}

/** Returns the clients with restricted access with which the user has sessions. */
export async function restrictedClientsOf(userId: string, trx: Transaction) {
  const grants = trx.from('oauth_records').where({ kind: 'Grant', user_id: userId })
  const rows = await trx
    .from('oauth_clients')
    .where(GROUPS)
    .whereIn('client_id', grants.where('expires_at', '>', Date.now()).select('client_id'))
    .select(COLUMNS)
  return rows.map(toRestricted)
}

/** Locks clients in one order, so that two deletions do not wait for each other. */
export async function lockClientsWith(
  groupId: string,
  limit: number,
  trx: Transaction
): Promise<RestrictedClient[]> {
  const query = naming(groupId, trx).orderBy('id').limit(limit).forUpdate()
  const rows = await query.select(COLUMNS)
  return rows.map(toRestricted)
}

/** Lists clients by name. */
export async function listClientsOf(
  groupId: string,
  limit: number
): Promise<Pick<OAuthClient, 'id' | 'name'>[]> {
  const ids = naming(groupId, db.connection()).select('id')
  const query = db.from('oauth_clients').whereIn('id', ids).orderBy('name').orderBy('id')
  return query.limit(limit).select('id', 'name')
}

function naming(groupId: string, client: QueryClientContract) {
  const query = client.from('oauth_clients').whereRaw(ALLOWED.condition)
  return query.whereLike('allowed_groups', `%${groupId}%`)
}
