import type User from '#models/user'
import type { Column } from './_table.ts'

export async function recordOf(user: User): Promise<Record<string, unknown>> {
  const { default: UserTransformer } = await import('#transformers/user_transformer')
  return { ...new UserTransformer(user).singleForAdmins({}) }
}

/** The row of a user in a table, with the status that `--status` filters by. */
export async function rowOf(user: User) {
  const { statusOf } = await import('#users/list/status')
  const record = await recordOf(user)
  const lastSignIn = String(record.lastLoginAt ?? 'never').slice(0, 10)
  const email = record.email ?? 'service account'
  return { ...record, email, status: statusOf(user), lastSignIn }
}

/** With two blanks between them, the columns fit into 80 characters. */
export const USER_COLUMNS: Column[] = [
  { name: 'email', title: 'E-mail', width: 22 },
  { name: 'handle', title: 'Handle', width: 12 },
  { name: 'username', title: 'Name', width: 12 },
  { name: 'role', title: 'Role', width: 6 },
  { name: 'status', title: 'Status', width: 8 },
  { name: 'lastSignIn', title: 'Last seen', width: 10 },
]
