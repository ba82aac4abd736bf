import { DateTime } from 'luxon'
import { v7 as uuidv7 } from 'uuid'
import { beforeCreate, beforeSave } from '@adonisjs/lucid/orm'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import mfa from '#config/mfa'
import { UserSchema } from '#database/schema'

/** The role that may administer. Roles of `EXTRA_ROLES` are only carried in tokens. */
export const ADMIN_ROLE = 'Admin'
export const DEFAULT_ROLE = 'User'

/** A person signs in; a service account acts by API keys alone. */
export const USER_KINDS = ['person', 'service'] as const
export type UserKind = (typeof USER_KINDS)[number]

/** How long a new address is pending. */
export const PENDING_EMAIL_TTL_MS = 24 * 3_600_000

/** Who locked a user: the counter of failed attempts, or an administrator. */
export type LockKind = 'failures' | 'administrator'

export default class User extends UserSchema {
  static selfAssignPrimaryKey = true

  /** Reads the row and locks it until the transaction ends. */
  static lockForUpdate(id: string, trx: TransactionClientContract): Promise<User | null> {
    return this.query({ client: trx }).where('id', id).forUpdate().first()
  }

  get isAdmin() {
    return this.role === ADMIN_ROLE
  }

  get isService() {
    return this.kind === 'service'
  }

  get hasPasskey() {
    return this.passkeyCount > 0
  }

  /** The e-mail address; null for a service account, which has no mailbox. */
  get mailbox() {
    return this.isService ? null : this.email
  }

  /** What administrators and operators call the user. */
  get label() {
    return this.mailbox ?? this.username
  }

  get isDisabled() {
    return this.disabledAt !== null && this.disabledAt !== undefined
  }

  get isEmailVerified() {
    return Boolean(this.emailVerifiedAt)
  }

  /** However often its link is mailed: otherwise it could outlive the time in which it is undone. */
  get pendingEmailLapsesAt() {
    return (this.pendingEmailAt?.toMillis() ?? 0) + PENDING_EMAIL_TTL_MS
  }

  /** Null without a pending address, and once it has lapsed. */
  get presentPendingEmail() {
    return Date.now() < this.pendingEmailLapsesAt ? (this.pendingEmail ?? null) : null
  }

  /** Until a backup code is used or an administrator resets the second factor. */
  get isMfaSuspended() {
    return this.mfaFailures >= mfa.suspendAfter
  }

  /** Whether too many wrong codes refuse every code, on known devices too. */
  get isMfaLocked() {
    return Boolean(this.mfaLockedUntil && this.mfaLockedUntil > DateTime.utc())
  }

  /** Null while the user is not locked. */
  get presentLockKind(): LockKind | null {
    if (!this.isLocked()) return null
    return this.lockKind === 'administrator' ? 'administrator' : 'failures'
  }

  /**
   * Whether no address of the user was ever proved: the user may have been registered by
   * somebody else. A user whose address was replaced may have proved the one before.
   */
  get wasNeverVerified() {
    return !this.isEmailVerified && !this.emailChangedAt
  }

  isLocked(now = DateTime.utc()) {
    return Boolean(this.lockedUntil && this.lockedUntil > now)
  }

  @beforeCreate()
  static identify(user: User) {
    user.id ??= uuidv7()
    user.createdAt ??= DateTime.utc()
  }

  @beforeSave()
  static stamp(user: User) {
    user.updatedAt = DateTime.utc()
  }
}
