import type { SensitiveChange } from '#auth/callers/permissions'
import type User from '#models/user'
import { mergeMetadata, METADATA_FIELDS, type MetadataField } from '#models/metadata'

export interface UserChanges {
  username?: string
  handle?: string
  nickname?: string | null
  locale?: string | null
  email?: string
  emailVerified?: boolean
  pendingEmail?: null
  /** Merge patches that come from outside. */
  metadata?: unknown
  appMetadata?: unknown
}

export interface ChangeOptions {
  /** Pages set it to accept a taken address as pending: they must not reveal who has an account. */
  hidesTaken?: boolean
  /** Set where the page that waits for a code sends the mail. */
  isByCode?: boolean
}

/** Metadata as JSON text; null while empty. */
export type UserState = Required<Omit<UserChanges, 'pendingEmail' | MetadataField>> & {
  pendingEmail: string | null
} & Record<MetadataField, string | null>

export interface Transition {
  before: UserState
  after: UserState
}

/** These fields decide who gets the mails of a user; a name does not. */
const SENSITIVE = ['email', 'pendingEmail', 'emailVerified'] as const

export function reachesAdmin(user: User, { before, after }: Transition) {
  return user.isAdmin && SENSITIVE.some((field) => before[field] !== after[field])
}

/** The changes that `app/auth/callers/permissions.ts` limits. */
export function sensitiveChanges(user: User, { before, after }: Transition): SensitiveChange[] {
  const changes: SensitiveChange[] = []
  if (reachesAdmin(user, { before, after })) changes.push('administrator')
  if (user.isAdmin && changedFields({ before, after }).length > 0)
    changes.push('user.administrator_profile')
  if (user.isService && after.username !== before.username) changes.push('user.service_username')
  if (after.email !== before.email) changes.push('user.email')
  if (after.emailVerified !== before.emailVerified) changes.push('user.email_verified')
  if (after.handle !== before.handle) changes.push('user.handle')
  if (after.appMetadata !== before.appMetadata) changes.push('user.app_metadata')
  return changes
}

export function changedFields({ before, after }: Transition) {
  const fields = Object.keys(before) as (keyof UserState)[]
  return fields.filter((field) => before[field] !== after[field])
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
    metadata: user.metadata ?? null,
    appMetadata: user.appMetadata ?? null,
  }
}

/**
 * A user's own new address waits for its link; an administrator's applies immediately.
 * @throws what `mergeMetadata` throws
 */
export function stateAfter(before: UserState, changes: UserChanges, isOwn: boolean) {
  const { email, metadata, appMetadata, ...others } = withoutUndefined(changes)
  const after: UserState = { ...before, ...others, ...mergedMetadata(before, changes) }
  if (email === undefined) return after
  const isSame = email === before.email
  if (isOwn) return { ...after, pendingEmail: isSame ? null : email }
  if (isSame) return after
  return { ...after, email, emailVerified: changes.emailVerified === true, pendingEmail: null }
}

function mergedMetadata(before: UserState, changes: UserChanges) {
  const merged = METADATA_FIELDS.map((field) => {
    const patch = changes[field]
    return [field, patch === undefined ? before[field] : mergeMetadata(field, before[field], patch)]
  })
  return Object.fromEntries(merged) as Record<MetadataField, string | null>
}

function withoutUndefined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined)
  ) as Partial<T>
}
