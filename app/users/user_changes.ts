import { recordAudit, type AuditAction } from '#audit/trail'
import type User from '#models/user'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

export interface UserChanges {
  username?: string
  nickname?: string | null
  /** In its canonical form. */
  email?: string
  role?: string
  disabled?: boolean
  disabledReason?: string | null
  emailVerified?: boolean
}

export type UserState = Required<Omit<UserChanges, 'disabledReason'>>

/** What a user was and is after a change. */
export interface Transition {
  before: UserState
  after: UserState & UserChanges
}

export function stateOf(user: User): UserState {
  return {
    username: user.username,
    nickname: user.nickname ?? null,
    email: user.email,
    role: user.role,
    disabled: user.isDisabled,
    emailVerified: user.isEmailVerified,
  }
}

/** A field without a value is left as it is. */
export function withoutUndefined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined)
  ) as Partial<T>
}

interface RecordedChange extends Transition {
  userId: string
  actor: Actor
  /** Why the user was disabled. */
  reason: string | null | undefined
}

/** Records one event for all fields that differ, with both values of each. */
export async function recordChanges(change: RecordedChange, trx: Transaction) {
  const { userId, before, after, actor, reason } = change
  const fields = (Object.keys(before) as (keyof UserState)[]).filter(
    (field) => before[field] !== after[field]
  )
  if (fields.length === 0) return
  const details: Record<string, unknown> = Object.fromEntries(
    fields.map((field) => [field, { before: before[field], after: after[field] }])
  )
  if (reason) details.reason = reason
  const action = actionFor(fields, after)
  await recordAudit({ action, actor, targetId: userId, details }, trx)
}

function actionFor(fields: (keyof UserState)[], after: UserState): AuditAction {
  if (fields.includes('disabled')) return after.disabled ? 'account.disabled' : 'account.enabled'
  if (fields.includes('role')) return 'role.changed'
  if (fields.includes('email')) return 'email.changed'
  return 'account.updated'
}
