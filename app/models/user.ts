import { DateTime } from 'luxon'
import { v7 as uuidv7 } from 'uuid'
import { beforeCreate, beforeSave } from '@adonisjs/lucid/orm'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import limits from '#config/limits'
import { firstWithConfiguration } from '#database/configuration_version'
import { UserSchema } from '#database/schema'

/** Roles of `EXTRA_ROLES` have a meaning in client applications only. */
export const ADMIN_ROLE = 'Admin'
export const DEFAULT_ROLE = 'User'

/** A service account acts only by API keys. */
export const USER_KINDS = ['person', 'service'] as const
export type UserKind = (typeof USER_KINDS)[number]

export const PENDING_EMAIL_TTL_MS = 24 * 3_600_000

export type LockKind = 'failures' | 'administrator'

export default class User extends UserSchema {
  static selfAssignPrimaryKey = true

  static lockForUpdate(id: string, trx: TransactionClientContract): Promise<User | null> {
    return this.query({ client: trx }).where('id', id).forUpdate().first()
  }

  /** For a sign-in: also reads the settings that decide on it. */
  static findWithConfiguration(id: string): Promise<User | null> {
    return firstWithConfiguration(this.query().where('id', id).select('*'))
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

  /** Null for a service account, which has no mailbox. */
  get mailbox() {
    return this.isService ? null : this.email
  }

  get label() {
    return this.mailbox ?? this.username
  }

  get isDisabled() {
    return this.disabledAt !== null && this.disabledAt !== undefined
  }

  get isEmailVerified() {
    return Boolean(this.emailVerifiedAt)
  }

  /** A link that is mailed again ends with the first: it could otherwise outlive the undo link. */
  get pendingEmailLapsesAt() {
    return (this.pendingEmailAt?.toMillis() ?? 0) + PENDING_EMAIL_TTL_MS
  }

  get currentPendingEmail() {
    return Date.now() < this.pendingEmailLapsesAt ? (this.pendingEmail ?? null) : null
  }

  /** Applications know the user by a handle that they received. */
  get mayChangeHandle() {
    return this.isAdmin || !this.handleReceivedAt
  }

  /** Ends with a backup code or a reset by an administrator. */
  get isMfaSuspended() {
    return this.mfaFailures >= limits.wrongCodesInARow
  }

  get isMfaLocked() {
    return Boolean(this.mfaLockedUntil && this.mfaLockedUntil > DateTime.utc())
  }

  get currentLockKind(): LockKind | null {
    if (!this.isLocked()) return null
    return this.lockKind === 'administrator' ? 'administrator' : 'failures'
  }

  /** An administrator has disabled or locked the user. */
  get isBarredByAdmin() {
    return this.isDisabled || this.currentLockKind === 'administrator'
  }

  /** An attacker may have registered the user. A replaced address may have been proved. */
  get wasNeverVerified() {
    return !this.isEmailVerified && !this.emailChangedAt
  }

  isLocked() {
    return Boolean(this.lockedUntil && this.lockedUntil > DateTime.utc())
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
