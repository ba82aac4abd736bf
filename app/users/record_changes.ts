import { record, type EventOf } from '#events/record'
import type { Actor } from '#audit/actor'
import type User from '#models/user'
import type { Transaction } from '#database/transaction'
import { changedFields, type Transition, type UserState } from './user_changes.ts'

interface RecordedChange extends Transition {
  user: User
  actor: Actor
  isByCode?: boolean
}

export async function recordChanges(change: RecordedChange, trx: Transaction) {
  const fields = changedFields(change)
  if (fields.length > 0) await record(trx, eventOf(change, fields))
}

/** Omits metadata values, which may be long and contain anything about the user. */
function changeOf(field: keyof UserState, { before, after }: Transition) {
  const isMetadata = field === 'metadata' || field === 'appMetadata'
  return isMetadata ? 'changed' : { before: before[field], after: after[field] }
}

type ChangeEvent =
  | EventOf<'email.changed'>
  | EventOf<'email.change_requested'>
  | EventOf<'email.change_withdrawn' | 'account.updated'>

function eventOf(
  { user, actor, before, after, isByCode }: RecordedChange,
  fields: (keyof UserState)[]
): ChangeEvent {
  const changes = fields.map((field) => [field, changeOf(field, { before, after })])
  const about = { user, actor, details: Object.fromEntries(changes) }
  if (fields.includes('email')) {
    return { ...about, type: 'email.changed', context: { newEmail: after.email } }
  }
  if (!fields.includes('pendingEmail')) return { ...about, type: 'account.updated' }
  const newEmail = after.pendingEmail
  if (newEmail === null) return { ...about, type: 'email.change_withdrawn' }
  return { ...about, type: 'email.change_requested', context: { newEmail, isByCode } }
}
