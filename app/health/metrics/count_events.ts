import { count } from '#telemetry/counters'
import { noteReason } from '#telemetry/ended_sessions'
import type { RecordedEvent } from '#events/record'
import type { Transaction } from '#database/transaction'

/** Counts what only events report, after their transaction has committed. */
export function countEvent({ type, details }: RecordedEvent, trx: Transaction) {
  noteReason(type, trx)
  const kind = lockKindOf(type, details)
  if (kind) trx.after('commit', () => count('gatehouse_locks_total', { kind }))
}

function lockKindOf(type: string, details: object) {
  if (type === 'device.locked') return 'device'
  if (type === 'mfa.suspended') return 'codes'
  if (type !== 'account.locked') return null
  return 'lockKind' in details ? String(details.lockKind) : null
}
