import { lockUserForUpdate, assertAnotherAdmin, lockAdminsForUpdate } from './last_admin.ts'
import db from '@adonisjs/lucid/services/db'
import User, { ADMIN_ROLE } from '#models/user'
import { E_EMAIL_TAKEN } from './errors.ts'
import { endSessions } from '#auth/sessions/sessions'
import { voidOneTimeTokens, type OneTimePurpose } from '#auth/tokens/one_time_tokens'
import { recordAudit, type AuditAction } from '#audit/trail'
import { queueMail } from '#mails/queue_mail'
import { isUniqueViolation } from './insert_user.ts'
import { queueVerificationMail } from './email_verification.ts'
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

/** What was issued for an address and is void with it. */
const PURPOSES_OF_ADDRESS: OneTimePurpose[] = [
  'password_reset',
  'password_change',
  'invitation',
  'email_verification',
]

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
