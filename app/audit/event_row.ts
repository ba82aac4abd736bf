import type { FixedFields } from '#audit/chain/chain'

/** A row of `audit_events`, its numbers as numbers on both databases. */
export interface EventRow extends FixedFields {
  outcome: 'success' | 'failure'
  mac: string
  /** Its place in the chain; null until it is sealed. */
  sequence: number | null
  hash: string | null
}

export function toEvent(row: any): EventRow {
  const sequence = row.sequence === null ? null : Number(row.sequence)
  return { ...row, occurred_at: Number(row.occurred_at), sequence }
}
