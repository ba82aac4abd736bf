import { recordAudit } from '#audit/trail'
import type { AuditedType } from '#events/event_types'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'
import type { Transition, UserState } from './user_changes.ts'

interface RecordedChange extends Transition {
  userId: string
  actor: Actor
}

/** Records one event for all fields that differ, with both values of each. */
export async function recordChanges(change: RecordedChange, trx: Transaction) {
  const { userId, before, after, actor } = change
  const fields = (Object.keys(before) as (keyof UserState)[]).filter(
    (field) => before[field] !== after[field]
  )
  if (fields.length === 0) return
  const changes = fields.map((field) => [field, { before: before[field], after: after[field] }])
  const details = Object.fromEntries(changes)
  const action = actionFor(fields, after)
  await recordAudit({ action, actor, targetId: userId, details }, trx)
}

function actionFor(fields: (keyof UserState)[], after: UserState): AuditedType {
  if (fields.includes('email')) return 'email.changed'
  if (fields.includes('pendingEmail')) {
    return after.pendingEmail ? 'email.change_requested' : 'email.change_withdrawn'
  }
  return 'account.updated'
}
