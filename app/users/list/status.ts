import type User from '#models/user'
import { IS_INVITED, isInvited } from '#users/invitations'
import type { UserQuery } from './user_query.ts'

/* A user may be locked, disabled and invited at the same time; `active` is none of these. */

export const USER_STATUSES = ['active', 'locked', 'disabled', 'invited'] as const
export type UserStatus = (typeof USER_STATUSES)[number]

const CONDITIONS: Record<UserStatus, (query: UserQuery, now: number) => UserQuery> = {
  active: (query, now) =>
    whereNotLocked(query, now).whereNull('disabled_at').whereRaw(`NOT (${IS_INVITED})`),
  locked: (query, now) => query.where('locked_until', '>', now),
  disabled: (query) => query.whereRaw('COALESCE(disabled_at, 0) > 0'),
  invited: (query) => query.whereRaw(IS_INVITED),
}

export function whereStatus(query: UserQuery, status: UserStatus, now: number): UserQuery {
  return CONDITIONS[status](query, now)
}

/** Avoids the index of locks, through which SQLite would read nearly all users. */
export function whereNotLocked(query: UserQuery, now: number): UserQuery {
  return query.whereRaw('COALESCE(locked_until, 0) <= ?', [now])
}

/** Returns the first status that refuses sign-in, for a page that has room for only one. */
export function statusOf(user: User): UserStatus {
  if (user.isDisabled) return 'disabled'
  if (user.isLocked()) return 'locked'
  return isInvited(user) ? 'invited' : 'active'
}
