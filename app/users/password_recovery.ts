import db from '@adonisjs/lucid/services/db'
import { assertMay } from '#auth/callers/limits'
import User from '#models/user'
import { E_INVALID_TOKEN } from '#auth/errors'
import { changeUserKeepingAnAdmin } from '#auth/last_admin'
import { liftLockByFailures } from '#auth/lockout/lift_lock'
import { hashNewPassword } from '#auth/passwords/new_password'
import { PASSWORD_TOKENS, storePassword } from '#auth/passwords/store_password'
import { needsMultiFactorMethod, needsTwoFactors } from '#auth/sessions/required_factors'
import { removeSecondFactor } from '#auth/mfa/second_factor'
import { withdrawTokens } from '#auth/devices/known_devices'
import { assertActive, assertNotServiceAccount } from '#auth/lock_for_change'
import { endSessions } from '#auth/sessions/sessions'
import { findLiveToken, redeemOneTimeToken, voidOneTimeTokens } from '#auth/tokens/one_time_tokens'
import type { OneTimePurpose } from '#auth/tokens/one_time_purposes'
import { record } from '#events/record'
import { userActor, type Actor } from '#audit/actor'
import { queuePasswordResetMail } from '#mails/queue/queue_mail'
import { removeChosenMethods, removeMethods, type MethodChoice } from './sign_in_methods.ts'
import type { RequestSource } from '#auth/sessions/device'
import type { Transaction } from '#database/transaction'

/*
 | A client without a session may ask for a password reset with nothing but an address. The
 | request does not look for a user: the mail worker does, later, so that neither the answer
 | nor its time tells an attacker whether the address has an account.
 */

/** Mails a link to set a new password, if a user has the address and not too many such mails. */
export async function requestPasswordReset(email: string, from: RequestSource) {
  const asked = { from, budget: 'reset' } as const
  await db.transaction((trx) => queuePasswordResetMail(email, asked, trx))
}

/** Mails the same link on behalf of an administrator or operator. */
export async function sendPasswordReset(user: User, actor: Actor) {
  assertNotServiceAccount(user)
  assertMay(user.isAdmin ? 'administrator' : 'user.sign_in_methods', actor)
  return db.transaction(async (trx) => {
    await assertActive(actor, trx)
    await record(trx, {
      type: 'password.reset_requested',
      user,
      actor,
      context: { isMailed: false },
    })
  })
}

/** The user id and address of a token that can still set a password, or null. */
export function findPasswordToken(token: string) {
  return findLiveToken(token, PASSWORD_TOKENS)
}

interface PasswordReset extends MethodChoice {
  token: string
  password: string
  /** The member of the body that has the password; `password` unless given. */
  field?: string
}

/**
 * Sets a password with a token: in place of a forgotten one, the first one of an invited
 * user, or in place of a temporary one. A link that was mailed also proves the address.
 * Every session ends and a lock after failures is lifted. A second factor stays, unless no address
 * of the user was ever verified. Identities, passkeys and API keys of a verified address stay unless the
 * person chooses otherwise. The second factor of an administrator who needs two always stays.
 *
 * @throws E_INVALID_TOKEN for a token that was used, replaced, never issued or has expired, and
 * E_LAST_ADMIN where nobody could administer without what it removes
 */
export async function resetPassword(reset: PasswordReset, from: RequestSource) {
  const { token, password, field } = reset
  const live = await findPasswordToken(token)
  const owner = live && (await User.find(live.userId))
  if (!owner) throw new E_INVALID_TOKEN()
  const hash = await hashNewPassword(password, owner, field)
  return changeUserKeepingAnAdmin(owner, async (trx) => {
    /** The user before the token, as everywhere: the other order could deadlock with setPassword. */
    const user = await User.lockForUpdate(owner.id, trx)
    const redeemed = await redeemOneTimeToken(token, PASSWORD_TOKENS, trx)
    if (!user || redeemed?.email !== user.email) throw new E_INVALID_TOKEN()
    await storePassword(user, { hash, voids: PASSWORD_TOKENS }, trx)
    const actor = userActor(user.id, from)
    await liftLockByFailures(user, { actor, method: 'mail' }, trx)
    await voidOneTimeTokens(user.id, ['sign_in_report'], trx)
    const endedSessions = await endSessions(user.id, { trx })
    const withdrawnDevices = await withdrawTokens(user.id, {}, trx)
    const provesAddress = redeemed.purpose !== 'password_change' && !user.isEmailVerified
    const { removed, passkeys } = provesAddress
      ? await verifyAddress(user, trx)
      : await removeChosenMethods(user.id, removableOf(user, redeemed, reset), trx)
    const details = { endedSessions, withdrawnDevices, ...removed }
    await record(trx, { type: 'password.reset', user, actor, details, context: { passkeys } })
    return { user, endedSessions }
  })
}

/**
 * Whether a token opens the other sign-in methods, to see and to remove them. That of a sign-in with a
 * temporary password does not: who has it has proved the password, and not yet the code.
 */
export function mayRemoveMethods({ purpose }: { purpose: OneTimePurpose }) {
  return purpose !== 'password_change'
}

function removableOf(user: User, redeemed: { purpose: OneTimePurpose }, chosen: MethodChoice) {
  if (!mayRemoveMethods(redeemed)) return {}
  return { ...chosen, keepsMultiFactor: needsMultiFactorMethod(user) }
}

/**
 * Verifies the address. An attacker may have registered it before the owner of the
 * mailbox came, so every identity, passkey, API key, pending external login and known device goes: none
 * of them may lead the attacker back in (pre-hijacking).
 *
 * A second factor goes if no address of the user was ever proved, because it would keep the
 * owner out. It stays where an address was replaced: a thief of a session and a password
 * could otherwise remove it by way of an address of their own. So do the codes, or else the
 * passkeys, of an administrator who needs two factors: the mailbox alone must not replace both.
 *
 * @returns what was removed, for the event
 */
async function verifyAddress(user: User, trx: Transaction) {
  const userId = user.id
  await trx.from('users').where('id', userId).update({ email_verified_at: Date.now() })
  const keepsMultiFactor = needsMultiFactorMethod(user)
  const { removed, passkeys } = await removeMethods(userId, { since: 0, keepsMultiFactor }, trx)
  const removesMfa = user.wasNeverVerified && Boolean(user.mfaEnabled) && !needsTwoFactors(user)
  if (removesMfa) await removeSecondFactor(userId, trx)
  return { removed: { ...removed, ...(removesMfa && { removedMfa: true }) }, passkeys }
}
