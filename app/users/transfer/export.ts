import db from '@adonisjs/lucid/services/db'
import { listUsersAfter, type UserFilter } from '#users/list/list_users'
import type User from '#models/user'
import UserTransformer from '#transformers/user_transformer'

/** Columns of an export, in their order. */
export const EXPORT_COLUMNS = [
  'id',
  'email',
  'emailVerified',
  'username',
  'nickname',
  'role',
  'disabled',
  'mfaEnabled',
  'lastLoginAt',
  'createdAt',
  'updatedAt',
]

/**
 * Every user that passes the filter, one after the other, read in portions.
 *
 * @param withHashes whether the password hash comes along, for an import elsewhere
 */
export async function* exportUsers(filter: UserFilter, { withHashes = false } = {}) {
  let cursor: string | undefined
  do {
    const page = await listUsersAfter({ ...filter, sort: 'createdAt' }, { cursor, limit: 500 })
    const identities = await identitiesOf(page.users)
    for (const user of page.users) {
      const record: Record<string, unknown> = { ...new UserTransformer(user).toObject() }
      const columns = EXPORT_COLUMNS.map((column) => [column, record[column]])
      const chosen = { ...Object.fromEntries(columns), identities: identities.get(user.id) ?? [] }
      yield withHashes ? { ...chosen, passwordHash: user.password ?? null } : chosen
    }
    cursor = page.nextCursor ?? undefined
  } while (cursor)
}

/** How each user is known to external providers. */
async function identitiesOf(users: User[]) {
  const ids = users.map((user) => user.id)
  const rows = await db.from('identities').whereIn('user_id', ids).orderBy('id')
  const byUser = new Map<string, object[]>()
  for (const { user_id: userId, provider, issuer, subject } of rows) {
    byUser.set(userId, [...(byUser.get(userId) ?? []), { provider, issuer, subject }])
  }
  return byUser
}
