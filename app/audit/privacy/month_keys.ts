import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { KeyOwner } from './personal_keys.ts'

export function monthOf(time: number): KeyOwner {
  return { month: new Date(time).toISOString().slice(0, 7) }
}

/** A guess may hold the address of a user without an account, which must not stay for long. */
const MONTHS_KEPT = 2

export async function deleteOldMonths(client: QueryClientContract, now: number) {
  const oldest = new Date(now)
  oldest.setUTCDate(1)
  oldest.setUTCMonth(oldest.getUTCMonth() - MONTHS_KEPT)
  const { month } = monthOf(oldest.getTime()) as { month: string }
  return Number(await client.from('audit_keys').where('month', '<', month).delete())
}
