import { replicaOrPrimary } from '#database/replica'

/** Triggers keep these counts (migration 0011), so that no request scans the table. */
export async function countByRole(role?: string) {
  const query = replicaOrPrimary().from('user_counts').sum('total as total')
  if (role) query.where('role', role)
  const [row] = await query
  return Number(row.total ?? 0)
}
