import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { assertMay } from '#auth/callers/limits'
import { ROLES } from '#models/roles'
import { changeKeepingAnAdmin } from '#auth/last_admin'
import { revokeKeysBeyondRole } from '#auth/api_keys/revoke_keys'
import { assertNotServiceAccount, lockForChange } from '#auth/lock_for_change'
import { throttleAddressChange, throttleProfileChange } from '#auth/lockout/throttle'
import { endSessions } from '#auth/sessions/sessions'
import { voidOneTimeTokens } from '#auth/tokens/one_time_tokens'
import type { OneTimePurpose } from '#auth/tokens/one_time_purposes'
import { deleteUnsentLinks } from '#mails/log/delete_mails'
import { queueMail, queueVerificationMail } from '#mails/queue/queue_mail'
import { isUniqueViolation } from '#database/unique_violation'
import { assertFree, PURPOSES_OF_ADDRESS, requestEmailChange } from './email_change.ts'
import { E_EMAIL_TAKEN, invalidRole } from './errors.ts'
import { sensitiveChanges, stateAfter, stateOf } from './user_changes.ts'
import { recordChanges } from './record_changes.ts'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'
import type { ChangeOptions, Transition, UserChanges } from './user_changes.ts'

/**
 * Where an administrator gives a user another address, whoever has the mailbox of the former
 * one may do nothing more with its links, neither put it back nor end the user's sessions.
 */
const PURPOSES_OF_FORMER_ADDRESS: OneTimePurpose[] = [
  ...PURPOSES_OF_ADDRESS,
  'email_change_undo',
  'sign_in_report',
]

/**
 * Applies those of the changes that differ. A changed role, and disabling, end every
 * session. An address that users change themselves is pending (`email_change.ts`); one that
 * an administrator changes is theirs at once, and both addresses get a mail.
 */
export async function updateUser(
  userId: string,
  { hidesTaken = false, ...changes }: UserChanges & ChangeOptions,
  actor: Actor
) {
  const isOwn = actor.id === userId
  if (isOwn) await throttleOwnChange(userId, changes)
  return transactionFor(changes)(async (trx) => {
    const user = await lockForChange(userId, actor, trx)
    const before = stateOf(user)
    const after = stateAfter(before, changes, isOwn)
    if (hasNewAddress({ before, after })) assertNotServiceAccount(user)
    assertRole(before.role, after.role)
    for (const change of sensitiveChanges({ before, after })) assertMay(change, actor)
    if (after.email !== before.email) await tellFormerAddress(user, after.email, trx)
    await writeChanges(user, { before, after }, trx)
    await applyConsequences(user, { before, after, actor }, trx)
    const isAsked = after.pendingEmail !== null && after.pendingEmail === changes.email
    if (isAsked && !hidesTaken) await assertFree(changes.email!, trx)
    if (isAsked) await requestEmailChange(user, changes.email!, trx)
    const reason = changes.disabled ? changes.disabledReason : null
    await recordChanges({ userId, before, after, actor, reason }, trx)
    return user.refresh()
  })
}

/** A new name takes no access away, so it does not wait for the lock of the administrators. */
function transactionFor({ disabled, role, email, emailVerified }: UserChanges) {
  const mayKeepOut = disabled === true || role !== undefined || emailVerified === false
  return mayKeepOut || email !== undefined ? changeKeepingAnAdmin : inTransaction
}

const inTransaction: typeof changeKeepingAnAdmin = (change) => db.transaction(change)

function hasNewAddress({ before, after }: Transition) {
  return after.email !== before.email || after.emailVerified !== before.emailVerified
}

/** A user keeps a role that `EXTRA_ROLES` no longer names; nobody gets it anew. */
function assertRole(before: string, after: string) {
  if (after !== before && !ROLES.includes(after)) throw invalidRole()
}

async function throttleOwnChange(userId: string, { email }: UserChanges) {
  await throttleProfileChange(userId)
  const user = email === undefined ? null : await User.find(userId)
  if (user && user.email !== email) await throttleAddressChange(userId)
}

/** Before the change: afterwards nothing tells whether the user had proved the address. */
async function tellFormerAddress({ id, email }: User, newEmail: string, trx: Transaction) {
  const mail = { kind: 'email_changed', recipient: email, contents: { newEmail } } as const
  await queueMail({ ...mail, userId: id }, trx)
}

async function writeChanges(user: User, { before, after }: Transition, trx: Transaction) {
  const now = Date.now()
  const { username, nickname, locale, role } = after
  const columns = { username, nickname, locale, role, ...addressOf(user, { before, after }, now) }
  const row = trx.from('users').where('id', user.id)
  try {
    await row.update({ ...columns, ...disablingOf(user, after, now), updated_at: now })
  } catch (error) {
    throw isUniqueViolation(error) ? new E_EMAIL_TAKEN() : error
  }
}

function addressOf(user: User, { before, after }: Transition, now: number) {
  const isMoved = after.email !== user.email
  const isReplaced = isMoved || (user.isEmailVerified && !after.emailVerified)
  const isKept = after.pendingEmail !== null && after.pendingEmail === before.pendingEmail
  const verifiedBefore = isMoved ? null : user.emailVerifiedAt?.toMillis()
  return {
    email: after.email,
    pending_email: after.pendingEmail,
    pending_email_at: isKept ? user.pendingEmailAt?.toMillis() : after.pendingEmail && now,
    email_verified_at: after.emailVerified ? (verifiedBefore ?? now) : null,
    ...(isReplaced && { email_changed_at: now }),
  }
}

function disablingOf(user: User, after: Transition['after'], now: number) {
  if (!after.disabled) return { disabled_at: null, disabled_reason: null }
  const disabledReason = after.disabledReason ?? user.disabledReason
  return { disabled_at: user.disabledAt?.toMillis() ?? now, disabled_reason: disabledReason }
}

async function applyConsequences(
  user: User,
  { before, after, actor }: Transition & { actor: Actor },
  trx: Transaction
) {
  const { id, kind } = user
  const isDisabling = after.disabled && !before.disabled
  const hasNewRole = after.role !== before.role
  if (isDisabling || hasNewRole) await endSessions(id, { trx })
  if (hasNewRole) await revokeKeysBeyondRole({ id, kind, role: after.role }, actor, trx)
  const isDropping = before.pendingEmail !== after.pendingEmail
  if (isDropping) await voidOneTimeTokens(user.id, ['email_change'], trx)
  if (after.email === before.email) return
  await deleteUnsentLinks(user.id, trx)
  await voidOneTimeTokens(user.id, PURPOSES_OF_FORMER_ADDRESS, trx)
  if (!after.emailVerified) await queueVerificationMail(after.email, { budget: null }, trx)
}
