import type { Transaction } from '#database/transaction'

/* A deletion, or another name, would change what a file says of another record. */

interface ManagedUse {
  file: string
  field: string
}

/** A client whose access, or an account whose groups, a file gives by the name of the group. */
export async function findUseOfGroup(
  groupId: string,
  trx: Transaction
): Promise<ManagedUse | null> {
  const clients = managed('client', 'allowedGroups', trx)
    .join('oauth_clients', 'oauth_clients.id', 'managed_records.record_id')
    .whereLike('oauth_clients.allowed_groups', `%${groupId}%`)
  const accounts = managed('service_account', 'groups', trx)
    .join('group_members', 'group_members.user_id', 'managed_records.record_id')
    .where('group_members.group_id', groupId)
  return (await first(clients, 'allowedGroups')) ?? (await first(accounts, 'groups'))
}

export async function findUseOfAccount(
  userId: string,
  trx: Transaction
): Promise<ManagedUse | null> {
  const clients = managed('client', 'serviceAccountId', trx)
    .join('oauth_clients', 'oauth_clients.id', 'managed_records.record_id')
    .where('oauth_clients.service_account_id', userId)
  return first(clients, 'serviceAccountId')
}

function managed(kind: string, field: string, trx: Transaction) {
  const rows = trx.from('managed_records').where('managed_records.kind', kind)
  return rows.whereLike('managed_records.fields', `%"${field}"%`)
}

async function first(query: ReturnType<typeof managed>, field: string) {
  const row = await query.select('managed_records.file').first()
  return row ? { file: row.file, field } : null
}
