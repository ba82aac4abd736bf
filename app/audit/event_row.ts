import type { FixedFields } from '#audit/chain/chain'

export interface EventRow extends FixedFields {
  outcome: 'success' | 'failure'
  mac: string
  /** Null until the event is sealed. */
  sequence: number | null
  hash: string | null
}

export function toEvent(row: any): EventRow {
  const sequence = row.sequence === null ? null : Number(row.sequence)
  return { ...row, occurred_at: Number(row.occurred_at), sequence }
}
