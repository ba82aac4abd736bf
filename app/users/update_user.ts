import db from '@adonisjs/lucid/services/db'
import User, { ADMIN_ROLE } from '#models/user'
import { E_INCORRECT_PASSWORD } from '#auth/errors'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { E_EMAIL_TAKEN, E_LAST_ADMIN } from './errors.ts'
import { endSessions } from '#auth/sessions/sessions'
import { clearAttempts } from '#auth/lockout/attempts'
import { adminsAbleToSignIn } from './first_admin.ts'
import { hashEmail } from '#auth/email'
import { voidOneTimeTokens, type OneTimePurpose } from '#auth/tokens/one_time_tokens'
import { recordAudit, type AuditAction } from '#audit/trail'
import { forgetMails } from '#mails/mail_log'
import { queueMail } from '#mails/queue_mail'
import { isUniqueViolation, queueVerificationMail } from './register.ts'
import store from '#auth/store/service'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#auth/store/contract'

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

/** What was issued for an address and is void with it. */
const PURPOSES_OF_ADDRESS: OneTimePurpose[] = [
  'password_reset',
  'password_change',
  'invitation',
  'email_verification',
]

/**
 * The row as it is now, held until the transaction ends.
 *
 * @param proven the user as its owner proved themselves; a password that was changed
 * since then proves nothing any more
 */
async function lockUserForUpdate(userId: string, trx: Transaction, proven?: User) {
  const user = await User.lockForUpdate(userId, trx)
  if (!user) throw new E_NOT_FOUND()
  const isStale = proven && +proven.passwordChangedAt! !== +user.passwordChangedAt!
  if (isStale) throw new E_INCORRECT_PASSWORD()
  return user
}

/**
 * Refuses to take the last administrator away; one who has no way to sign in yet, as
 * somebody invited, does not count. The rows of all administrators are held,
 * so that two who remove each other at the same moment wait for one another.
 */
async function assertAnotherAdmin(userId: string, trx: Transaction) {
  const admins = await adminsAbleToSignIn(trx)
    .whereNull('disabled_at')
    .orderBy('id')
    .forUpdate()
    .select('id')
  if (!admins.some((admin) => admin.id !== userId)) throw new E_LAST_ADMIN()
}

/**
 * Applies those of the changes that differ. A changed role, and disabling, end every
 * session; a changed address is unverified and both addresses are told.
 */
export async function updateUser(
  userId: string,
  changes: UserChanges,
  actor: Actor,
  proven?: User
) {
  return db.transaction(async (trx) => {
    const losesAdmin = changes.disabled === true || (changes.role && changes.role !== ADMIN_ROLE)
    if (losesAdmin) await lockAdminsForUpdate(trx)
    const user = await lockUserForUpdate(userId, trx, proven)
    if (losesAdmin && user.isAdmin && !user.isDisabled) await assertAnotherAdmin(userId, trx)
    const before = pick(user)
    const after = { ...before, ...withoutUndefined(changes) }
    await writeChanges(user, after, trx)
    await applyConsequences(user, before, after, trx)
    const reason = changes.disabled ? changes.disabledReason : null
    await recordChanges(user, { before, after, reason }, actor, trx)
    return user.refresh()
  })
}

/** Administrators are always held before anybody else, in one order: no two can wait for each other. */
async function lockAdminsForUpdate(trx: Transaction) {
  await trx.from('users').where('role', ADMIN_ROLE).orderBy('id').forUpdate().select('id')
}

type UserState = Required<Omit<UserChanges, 'disabledReason'>>

function pick(user: User): UserState {
  return {
    username: user.username,
    nickname: user.nickname ?? null,
    email: user.email,
    role: user.role,
    disabled: user.isDisabled,
    emailVerified: user.isEmailVerified,
  }
}

function withoutUndefined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined)
  ) as Partial<T>
}

async function writeChanges(user: User, after: UserState & UserChanges, trx: Transaction) {
  const now = Date.now()
  const isVerified = after.email === user.email ? after.emailVerified : false
  const verifiedAt = isVerified ? (user.emailVerifiedAt?.toMillis() ?? now) : null
  try {
    await trx
      .from('users')
      .where('id', user.id)
      .update({
        username: after.username,
        nickname: after.nickname,
        email: after.email,
        email_verified_at: verifiedAt,
        role: after.role,
        disabled_at: after.disabled ? (user.disabledAt?.toMillis() ?? now) : null,
        disabled_reason: after.disabled ? (after.disabledReason ?? user.disabledReason) : null,
        updated_at: now,
      })
  } catch (error) {
    throw isUniqueViolation(error) ? new E_EMAIL_TAKEN() : error
  }
}

async function applyConsequences(
  user: User,
  before: UserState,
  after: UserState,
  trx: Transaction
) {
  const isStopped = after.disabled && !before.disabled
  if (isStopped || after.role !== before.role) await endSessions(user.id, { trx })
  if (after.email === before.email) return
  await voidOneTimeTokens(user.id, PURPOSES_OF_ADDRESS, trx)
  await queueMail(
    {
      kind: 'email_changed',
      recipient: before.email,
      userId: user.id,
      contents: { newEmail: after.email },
    },
    trx
  )
  await queueVerificationMail(await User.findOrFail(user.id, { client: trx }), trx)
}

async function recordChanges(
  user: User,
  { before, after, reason }: { before: UserState; after: UserState; reason?: string | null },
  actor: Actor,
  trx: Transaction
) {
  const fields = (Object.keys(before) as (keyof UserState)[]).filter(
    (field) => before[field] !== after[field]
  )
  if (fields.length === 0) return
  const details: Record<string, unknown> = Object.fromEntries(
    fields.map((field) => [field, { before: before[field], after: after[field] }])
  )
  if (reason) details.reason = reason
  const action = actionFor(fields, after)
  await recordAudit({ action, actor, targetId: user.id, details }, trx)
}

function actionFor(fields: (keyof UserState)[], after: UserState): AuditAction {
  if (fields.includes('disabled')) return after.disabled ? 'account.disabled' : 'account.enabled'
  if (fields.includes('role')) return 'role.changed'
  if (fields.includes('email')) return 'email.changed'
  return 'account.updated'
}

/** Deletes a user with everything that is its own; the audit trail keeps what happened. */
export async function deleteUser(userId: string, actor: Actor, proven?: User) {
  return db.transaction(async (trx) => {
    await lockAdminsForUpdate(trx)
    const user = await lockUserForUpdate(userId, trx, proven)
    if (user.isAdmin && !user.isDisabled) await assertAnotherAdmin(userId, trx)
    await endSessions(userId, { trx })
    await clearAttempts(user.email, trx)
    await forgetMails(userId, trx)
    await trx.from('users').where('id', userId).delete()
    const details = { email: user.email }
    await recordAudit({ action: 'account.deleted', actor, targetId: userId, details }, trx)
    return user
  })
}

/** Locks a user until then, as five failures would; live sessions go on. */
export async function lockUser(userId: string, until: number, actor: Actor) {
  return db.transaction(async (trx) => {
    const user = await lockUserForUpdate(userId, trx)
    await trx.from('users').where('id', userId).update({ locked_until: until })
    await clearAttempts(user.email, trx)
    await store.lockAttempts(hashEmail(user.email), until, Date.now(), trx)
    const details = { until: new Date(until).toISOString() }
    await recordAudit({ action: 'account.locked', actor, targetId: userId, details }, trx)
    return user.refresh()
  })
}

/** Lifts a lock and forgets the failures that led to it. */
export async function unlockUser(userId: string, actor: Actor) {
  return db.transaction(async (trx) => {
    const user = await lockUserForUpdate(userId, trx)
    await trx.from('users').where('id', userId).update({ locked_until: null })
    await clearAttempts(user.email, trx)
    await recordAudit({ action: 'account.unlocked', actor, targetId: userId }, trx)
    return user.refresh()
  })
}
