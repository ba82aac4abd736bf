import type { Transaction } from '#database/transaction'

/* The deletion or renaming of a record would change what a file says about another record. */

export interface ManagedUse {
  file: string
  source: string | null
  field: string
}

/** Finds clients whose access, and accounts whose groups, a file gives by the name of the group. */
export async function findUsesOfGroup(groupId: string, trx: Transaction): Promise<ManagedUse[]> {
  const clients = managed('client', 'allowedGroups', trx)
    .join('oauth_clients', 'oauth_clients.id', 'managed_records.record_id')
    .whereLike('oauth_clients.allowed_groups', `%${groupId}%`)
  const accounts = managed('service_account', 'groups', trx).whereExists(membership(groupId, trx))
  return [...(await usesIn(clients, 'allowedGroups')), ...(await usesIn(accounts, 'groups'))]
}

/** A join would read all members of the group, and no file names most of them. */
function membership(groupId: string, trx: Transaction) {
  const memberships = trx.from('group_members').where('group_id', groupId)
  return memberships.whereColumn('user_id', 'managed_records.record_id')
}

/** Finds clients of files that act for the account. */
export async function findUsesOfAccount(userId: string, trx: Transaction): Promise<ManagedUse[]> {
  const clients = managed('client', 'serviceAccountId', trx)
    .join('oauth_clients', 'oauth_clients.id', 'managed_records.record_id')
    .where('oauth_clients.service_account_id', userId)
  return usesIn(clients, 'serviceAccountId')
}

/** Returns the ids of accounts for which clients act because a file says so. */
export async function listAccountsOfManagedClients(trx: Transaction) {
  const rows = await managed('client', 'serviceAccountId', trx)
    .join('oauth_clients', 'oauth_clients.id', 'managed_records.record_id')
    .whereNotNull('oauth_clients.service_account_id')
    .select('oauth_clients.service_account_id')
  return new Set<string>(rows.map(({ service_account_id: id }) => id))
}

function managed(kind: string, field: string, trx: Transaction) {
  const rows = trx.from('managed_records').where('managed_records.kind', kind)
  return rows.whereLike('managed_records.fields', `%"${field}"%`)
}

async function usesIn(query: ReturnType<typeof managed>, field: string): Promise<ManagedUse[]> {
  const rows = await query.select('managed_records.file', 'managed_records.source')
  return rows.map(({ file, source }) => ({ file, source, field }))
}
