import { selectPasskeysOf } from '#auth/passkeys/passkey_rows'
import { replicaOrPrimary } from '#database/replica'
import type User from '#models/user'
import { toExported } from './passkey_columns.ts'

/* Data of a batch of users from other tables, by user id. */

export async function passkeysOf(users: User[]) {
  const rows = await selectPasskeysOf(
    users.map((user) => user.id),
    replicaOrPrimary()
  )
  const byUser = Map.groupBy(rows, (row) => row.user_id)
  return new Map([...byUser].map(([userId, own]) => [userId, own.map(toExported)]))
}

export async function identitiesOf(users: User[]) {
  const ids = users.map((user) => user.id)
  const rows = await replicaOrPrimary().from('identities').whereIn('user_id', ids).orderBy('id')
  const byUser = Map.groupBy(rows, (row) => row.user_id)
  return new Map([...byUser].map(([userId, own]) => [userId, own.map(toIdentity)]))
}

function toIdentity({ provider, issuer, subject, linked_by_owner: isOwn }: any) {
  return { provider, issuer, subject, ...(isOwn && { linkedByOwner: true }) }
}

export async function groupsOf(users: User[]) {
  const ids = users.filter(({ groupIds }) => groupIds).map((user) => user.id)
  if (ids.length === 0) return new Map<string, string[]>()
  const rows: { user_id: string; name: string }[] = await replicaOrPrimary()
    .from('group_members')
    .join('groups', 'groups.id', 'group_members.group_id')
    .whereIn('user_id', ids)
    .select('user_id', 'name')
  const byUser = Map.groupBy(rows, (row) => row.user_id)
  return new Map([...byUser].map(([id, own]) => [id, own.map(({ name }) => name).toSorted()]))
}
