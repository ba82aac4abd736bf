import User from '#models/user'
import { replicaOrPrimary } from '#database/replica'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { ModelQueryBuilderContract } from '@adonisjs/lucid/types/model'

export type UserQuery = ModelQueryBuilderContract<typeof User>

export function queryUsers(client: QueryClientContract = replicaOrPrimary()): UserQuery {
  return User.query({ client })
}

/** Triggers keep these counts (migration 0011), so that no request scans the table. */
export async function countByRole(role?: string) {
  const query = replicaOrPrimary().from('user_counts').sum('total as total')
  if (role) query.where('role', role)
  const [row] = await query
  return Number(row.total ?? 0)
}
