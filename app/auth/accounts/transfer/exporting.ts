import { listAccountsAfter, type AccountFilter } from '../directory.ts'
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
 * Every account that passes the filter, one after the other, read in portions.
 *
 * @param withHashes whether the password hash comes along, for an import elsewhere
 */
export async function* exportAccounts(filter: AccountFilter, { withHashes = false } = {}) {
  let cursor: string | undefined
  do {
    const page = await listAccountsAfter({ ...filter, sort: 'createdAt' }, { cursor, limit: 500 })
    for (const user of page.users) {
      const record: Record<string, unknown> = { ...new UserTransformer(user).toObject() }
      const chosen = Object.fromEntries(EXPORT_COLUMNS.map((column) => [column, record[column]]))
      yield withHashes ? { ...chosen, passwordHash: user.password ?? null } : chosen
    }
    cursor = page.nextCursor ?? undefined
  } while (cursor)
}
