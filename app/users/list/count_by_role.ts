import { replicaOrPrimary } from '#database/replica'

/**
 * How many users there are, of a role or of all. Triggers keep these counts (migration
 * 0011), so that reading them takes a few rows instead of a scan of the table.
 */
export async function countByRole(role?: string) {
  const query = replicaOrPrimary().from('user_counts').sum('total as total')
  if (role) query.where('role', role)
  const [row] = await query
  return Number(row.total ?? 0)
}
