import type { SensitiveChange } from '#auth/callers/limits'
import type User from '#models/user'

export interface UserChanges {
  username?: string
  handle?: string
  nickname?: string | null
  locale?: string | null
  email?: string
  emailVerified?: boolean
  pendingEmail?: null
}

export interface ChangeOptions {
  /** Pages set it to accept a taken address as pending: they must not reveal who has an account. */
  hidesTaken?: boolean
  /** The page that waits for a code mails it. */
  isByCode?: boolean
}

export type UserState = Required<Omit<UserChanges, 'pendingEmail'>> & {
  pendingEmail: string | null
}

export interface Transition {
  before: UserState
  after: UserState
}

/** These fields decide who gets the mails of a user; a name does not. */
const SENSITIVE = ['email', 'pendingEmail', 'emailVerified'] as const

export function reachesAdmin(user: User, { before, after }: Transition) {
  return user.isAdmin && SENSITIVE.some((field) => before[field] !== after[field])
}

/** The changes that `app/auth/callers/limits.ts` limits. */
export function sensitiveChanges(user: User, { before, after }: Transition): SensitiveChange[] {
  const changes: SensitiveChange[] = []
  if (reachesAdmin(user, { before, after })) changes.push('administrator')
  if (after.email !== before.email) changes.push('user.email')
  if (after.emailVerified !== before.emailVerified) changes.push('user.email_verified')
  if (after.handle !== before.handle) changes.push('user.handle')
  return changes
}

export function stateOf(user: User): UserState {
  return {
    username: user.username,
    handle: user.handle,
    nickname: user.nickname ?? null,
    locale: user.locale ?? null,
    email: user.email,
    emailVerified: user.isEmailVerified,
    pendingEmail: user.currentPendingEmail,
  }
}

/** A user's own new address waits for its link; an administrator's applies at once. */
export function stateAfter(before: UserState, changes: UserChanges, isOwn: boolean) {
  const { email, ...others } = withoutUndefined(changes)
  const after: UserState = { ...before, ...others }
  if (email === undefined) return after
  const isSame = email === before.email
  if (isOwn) return { ...after, pendingEmail: isSame ? null : email }
  if (isSame) return after
  return { ...after, email, emailVerified: changes.emailVerified === true, pendingEmail: null }
}

function withoutUndefined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined)
  ) as Partial<T>
}
