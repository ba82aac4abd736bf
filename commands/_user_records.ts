import type User from '#models/user'
import type { Column } from './_operator_command.ts'

export async function recordOf(user: User): Promise<Record<string, unknown>> {
  const { default: UserTransformer } = await import('#transformers/user_transformer')
  return { ...new UserTransformer(user).toObject() }
}

/** A record with its state in one word, as tables show it. */
export function withStatus(record: Record<string, unknown>) {
  const status = record.disabled ? 'disabled' : record.lockedUntil ? 'locked' : 'active'
  return { ...record, status, lastSignIn: String(record.lastLoginAt ?? 'never').slice(0, 10) }
}

export const USER_COLUMNS: Column[] = [
  { name: 'email', title: 'E-mail', width: 34 },
  { name: 'username', title: 'Name', width: 14 },
  { name: 'role', title: 'Role', width: 8 },
  { name: 'status', title: 'Status', width: 8 },
  { name: 'lastSignIn', title: 'Last seen', width: 10 },
]
