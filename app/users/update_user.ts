import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { assertMay, may } from '#auth/callers/permissions'
import { changeKeepingAnAdmin } from '#auth/last_admin'
import { assertNotServiceAccount, lockForChange } from '#auth/lock_for_change'
import { throttleAdminMail } from '#auth/lockout/mail_budget'
import { throttleAddressChange, throttleProfileChange } from '#auth/lockout/throttle'
import { voidOneTimeTokens } from '#auth/tokens/void_tokens'
import { assertAccountIsFree, assertNotManaged } from '#configuration/managed'
import type { OneTimePurpose } from '#auth/tokens/one_time_purposes'
import { deleteUnsentLinks } from '#mails/log/delete_mails'
import { queueVerificationMail } from '#mails/queue/queue_link_mails'
import { isUniqueViolation } from '#database/unique_violation'
import { assertFree, PURPOSES_OF_ADDRESS, queueEmailChangeMail } from './email_change.ts'
import { claimNewHandle } from './handles/claim_new_handle.ts'
import { E_EMAIL_TAKEN } from './errors.ts'
import { assertMayMoveTo } from './sign_up.ts'
import {
  sensitiveChanges,
  stateAfter,
  stateOf,
  type ChangeOptions,
  type Transition,
  type UserChanges,
} from './user_changes.ts'
import { recordChanges } from './record_changes.ts'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

/** After an administrator changes the address, the previous mailbox must neither restore it nor end sessions. */
const PURPOSES_OF_PREVIOUS_ADDRESS: OneTimePurpose[] = [
  ...PURPOSES_OF_ADDRESS,
  'email_change_undo',
  'sign_in_report',
]

/** A user's own new address is pending. An administrator's applies immediately; both get a mail. */
export async function updateUser(
  userId: string,
  changes: UserChanges & ChangeOptions,
  actor: Actor
) {
  await throttleChange(userId, changes, actor)
  return transactionFor(changes)(async (trx) => {
    const user = await lockForChange(userId, actor, trx)
    await updateWithin(user, { changes, actor }, trx)
    return user.refresh()
  })
}

/** The caller has locked the row of the user. */
export async function updateWithin(user: User, { changes, actor }: Update, trx: Transaction) {
  const { hidesTaken = false, isByCode = false, ...fields } = changes
  const before = stateOf(user)
  const after = stateAfter(before, fields, actor.id === user.id)
  if (hasNewAddress({ before, after })) assertNotServiceAccount(user)
  for (const change of sensitiveChanges(user, { before, after })) assertMay(change, actor)
  if (user.isService && after.username !== before.username) await assertMayRename(user, trx)
  if (after.handle !== before.handle)
    await claimNewHandle(user, { handle: after.handle, actor }, trx)
  // Recorded first, while the row still says whether the previous address was verified.
  await recordChanges({ user, before, after, actor, isByCode }, trx)
  await writeChanges(user, { before, after }, trx)
  await applyConsequences(user, { before, after }, trx)
  const isAsked = after.pendingEmail !== null && after.pendingEmail === fields.email
  if (isAsked && !hidesTaken) await assertFree(fields.email!, trx)
  // No event is recorded if the same address is requested again.
  const isRepeated = isAsked && before.pendingEmail === after.pendingEmail
  if (isRepeated && !isByCode)
    await queueEmailChangeMail({ userId: user.id, email: fields.email! }, trx)
}

/** @throws E_MANAGED if an entry of a file is about the account, or its client acts for it */
async function assertMayRename({ id }: User, trx: Transaction) {
  await assertNotManaged({ kind: 'service_account', id }, ['username'], trx)
  await assertAccountIsFree(id, trx)
}

interface Update {
  changes: UserChanges & ChangeOptions
  actor: Actor
}

/**
 * A new name removes no access, so it does not wait for the lock of the administrators.
 * @param mayKeepOut whether the transaction also changes something else that may remove access
 */
export function transactionFor({ email, emailVerified }: UserChanges, mayKeepOut = false) {
  const mayLoseAddress = email !== undefined || emailVerified === false
  return mayKeepOut || mayLoseAddress ? changeKeepingAnAdmin : inTransaction
}

const inTransaction: typeof changeKeepingAnAdmin = (change) => db.transaction(change)

function hasNewAddress({ before, after }: Transition) {
  return after.email !== before.email || after.emailVerified !== before.emailVerified
}

/** Limits profile changes, and the domains of a new address. @throws E_TOO_MANY_REQUESTS, what `assertMayMoveTo` throws */
export async function throttleChange(userId: string, { email }: UserChanges, actor: Actor) {
  const isOwn = actor.id === userId
  if (isOwn) await throttleProfileChange(userId)
  const user = email === undefined ? null : await User.find(userId)
  if (!user || user.email === email) return
  if (isOwn) {
    await throttleAddressChange(userId)
    return assertMayMoveTo(email!, user)
  }
  // `updateWithin` refuses other actors, and no mail is sent.
  if (may('user.email', actor)) await throttleAdminMail(actor, email!)
}

async function writeChanges(user: User, { before, after }: Transition, trx: Transaction) {
  const now = Date.now()
  const { username, handle, nickname, locale, metadata, appMetadata } = after
  const names = { username, handle, nickname, locale }
  const columns = { ...names, metadata, app_metadata: appMetadata }
  const address = addressOf(user, { before, after }, now)
  const row = trx.from('users').where('id', user.id)
  try {
    await row.update({ ...columns, ...address, updated_at: now })
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

async function applyConsequences(user: User, { before, after }: Transition, trx: Transaction) {
  const isDropping = before.pendingEmail !== after.pendingEmail
  if (isDropping) await voidOneTimeTokens(user.id, ['email_change'], trx)
  if (after.email === before.email) return
  await deleteUnsentLinks(user.id, trx)
  await voidOneTimeTokens(user.id, PURPOSES_OF_PREVIOUS_ADDRESS, trx)
  if (!after.emailVerified) await queueVerificationMail(after.email, { budget: null }, trx)
}
