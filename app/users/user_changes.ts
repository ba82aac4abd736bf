import type { SensitiveChange } from '#auth/callers/limits'
import type User from '#models/user'

export interface UserChanges {
  username?: string
  nickname?: string | null
  /** The language of pages and mails; null for that of the browser. */
  locale?: string | null
  /** In its canonical form. */
  email?: string
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

export type UserState = Required<Omit<UserChanges, 'pendingEmail'>> & {
  pendingEmail: string | null
}

/** What a user was and is after a change. */
export interface Transition {
  before: UserState
  after: UserState
}

/** What decides who gets the mails of a user; a name does not. */
const SENSITIVE = ['email', 'pendingEmail', 'emailVerified'] as const

/** Whether a change reaches the access of an administrator. */
export function reachesAdmin(user: User, { before, after }: Transition) {
  return user.isAdmin && SENSITIVE.some((field) => before[field] !== after[field])
}

/** What of a change is limited (`app/auth/callers/limits.ts`). */
export function sensitiveChanges(user: User, { before, after }: Transition): SensitiveChange[] {
  const changes: SensitiveChange[] = []
  if (reachesAdmin(user, { before, after })) changes.push('administrator')
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
  const after: UserState = { ...before, ...others }
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
