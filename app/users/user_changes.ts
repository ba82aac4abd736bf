import type { SensitiveChange } from '#auth/callers/limits'
import type User from '#models/user'
import { ADMIN_ROLE } from '#models/user'

export interface UserChanges {
  username?: string
  nickname?: string | null
  /** The language of pages and mails; null for that of the browser. */
  locale?: string | null
  /** In its canonical form. */
  email?: string
  role?: string
  disabled?: boolean
  disabledReason?: string | null
  emailVerified?: boolean
  /** Withdraws the address that waits for its link. */
  pendingEmail?: null
}

/** How a change is answered, beside what it changes. */
export interface ChangeOptions {
  /**
   * Whether another user's address is pending like a free one. Pages ask for it: they must not
   * tell who has an account. The API refuses it behind the limit of changes.
   */
  hidesTaken?: boolean
}

export type UserState = Required<Omit<UserChanges, 'disabledReason' | 'pendingEmail'>> & {
  pendingEmail: string | null
}

/** What a user was and is after a change. */
export interface Transition {
  before: UserState
  after: UserState & Pick<UserChanges, 'disabledReason'>
}

/** What decides who an administrator is and who gets their mails; a name does not. */
const SENSITIVE = ['role', 'email', 'pendingEmail', 'emailVerified', 'disabled'] as const

/** Whether a change makes, unmakes or reaches an administrator. */
export function changesAdmin(before: UserState, after: UserState) {
  const isAdmin = before.role === ADMIN_ROLE || after.role === ADMIN_ROLE
  return isAdmin && SENSITIVE.some((field) => before[field] !== after[field])
}

/** What of a change is limited (`app/auth/callers/limits.ts`). */
export function sensitiveChanges({ before, after }: Transition): SensitiveChange[] {
  const changes: SensitiveChange[] = []
  if (changesAdmin(before, after)) changes.push('administrator')
  if (after.role !== before.role) changes.push('user.role')
  if (after.email !== before.email) changes.push('user.email')
  if (after.emailVerified !== before.emailVerified) changes.push('user.email_verified')
  return changes
}

export function stateOf(user: User): UserState {
  return {
    username: user.username,
    nickname: user.nickname ?? null,
    locale: user.locale ?? null,
    email: user.email,
    role: user.role,
    disabled: user.isDisabled,
    emailVerified: user.isEmailVerified,
    pendingEmail: user.presentPendingEmail,
  }
}

/**
 * What a user is after the changes. An address that users give themselves is pending until
 * its link is used, and their present one drops it. One that somebody else gives is there at
 * once, and verified only if they say so.
 */
export function stateAfter(before: UserState, changes: UserChanges, isOwn: boolean) {
  const { email, ...others } = withoutUndefined(changes)
  const after: Transition['after'] = { ...before, ...others }
  if (email === undefined) return after
  const isSame = email === before.email
  if (isOwn) return { ...after, pendingEmail: isSame ? null : email }
  if (isSame) return after
  return { ...after, email, emailVerified: changes.emailVerified === true, pendingEmail: null }
}

/** A field without a value is left as it is. */
function withoutUndefined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined)
  ) as Partial<T>
}
