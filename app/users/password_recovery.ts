import User from '#models/user'
import { E_INVALID_TOKEN } from '#auth/errors'
import { changeUserKeepingAnAdmin } from '#auth/last_admin'
import { liftLockByFailures } from '#auth/lockout/lift_lock'
import { hashNewPassword } from '#auth/passwords/new_password'
import { PASSWORD_TOKENS, storePassword } from '#auth/passwords/store_password'
import { needsMultiFactorMethod, needsTwoFactors } from '#auth/sessions/required_factors'
import { removeSecondFactor } from '#auth/mfa/second_factor'
import { forgetDevices } from '#auth/devices/known_devices'
import { endSessions } from '#auth/sessions/sessions'
import { findLiveToken, redeemOneTimeToken, type RedeemedToken } from '#auth/tokens/one_time_tokens'
import { voidOneTimeTokens } from '#auth/tokens/void_tokens'
import type { OneTimePurpose } from '#auth/tokens/one_time_purposes'
import { record } from '#events/record'
import { userActor, type Actor } from '#audit/actor'
import { ensureSettings } from '#settings/values/ensure_settings'
import { mailServerTrialSince } from '#settings/values/current'
import { markVerified } from './email_verification.ts'
import { removeChosenMethods, removeMethods, type MethodChoice } from './remove_methods.ts'
import type { RequestSource } from '#auth/sessions/device'
import type { Transaction } from '#database/transaction'

export function findPasswordToken(token: string) {
  return findLiveToken(token, PASSWORD_TOKENS)
}

interface PasswordReset extends MethodChoice {
  token: string
  password: string
  /** The body field of the password; `password` by default. */
  field?: string
  purposes?: OneTimePurpose[]
}

/**
 * Sign-in methods stay unless the user chooses otherwise, or the address was unverified.
 * @throws E_INVALID_TOKEN for a token that was used, replaced, never issued or has expired
 * @throws E_LAST_ADMIN if no administrator could sign in afterwards
 */
export async function resetPassword(reset: PasswordReset, from: RequestSource) {
  const { token, password, field, purposes = PASSWORD_TOKENS } = reset
  await ensureSettings()
  const live = await findLiveToken(token, purposes)
  const owner = live && (await User.find(live.userId))
  if (!owner) throw new E_INVALID_TOKEN()
  const hash = await hashNewPassword(password, owner, field)
  return changeUserKeepingAnAdmin(owner, async (trx) => {
    /** The user is locked before the token: the other order could deadlock with setPassword. */
    const user = await User.lockForUpdate(owner.id, trx)
    const redeemed = await redeemOneTimeToken(token, purposes, trx)
    if (!user || redeemed?.email !== user.email) throw new E_INVALID_TOKEN()
    if (user.isAdmin && isOnTrial(redeemed)) throw new E_INVALID_TOKEN()
    await storePassword(user, { hash, voids: PASSWORD_TOKENS }, trx)
    const actor = userActor(user.id, from)
    if (isMailed(redeemed)) await liftLockByFailures(user, { actor, method: 'mail' }, trx)
    await voidOneTimeTokens(user.id, ['sign_in_report'], trx)
    const endedSessions = await endSessions(user.id, { trx })
    const withdrawnDevices = await forgetDevices(user.id, {}, trx)
    const provesAddress = isMailed(redeemed) && !user.isEmailVerified
    const { removed, passkeys } = provesAddress
      ? await verifyAddress(user, actor, trx)
      : await removeChosenMethods(user.id, removableOf(user, redeemed, reset), trx)
    const details = { endedSessions, withdrawnDevices, ...removed }
    await record(trx, { type: 'password.reset', user, actor, details, context: { passkeys } })
    return { user, endedSessions, mayRemove: isMailed(redeemed) }
  })
}

/** Whether the link was sent by a mail server that a stolen session may have configured. */
function isOnTrial({ purpose, causedAt }: RedeemedToken) {
  const since = mailServerTrialSince()
  return purpose === 'password_reset' && since !== null && (causedAt ?? since) >= since
}

/**
 * A sign-in with a temporary password also issues a token. It proves no mailbox and no second
 * factor, so it lifts no lock and removes no method.
 */
export function isMailed({ purpose }: { purpose: OneTimePurpose }) {
  return purpose !== 'password_change'
}

function removableOf(user: User, redeemed: { purpose: OneTimePurpose }, chosen: MethodChoice) {
  if (!isMailed(redeemed)) return {}
  return { ...chosen, keepsMultiFactor: needsMultiFactorMethod(user) }
}

/**
 * Removes all sign-in methods, because an attacker may have registered the address first
 * (pre-hijacking). The second factor stays if an address was ever verified: a thief could remove it
 * through an address of their own. It also stays for administrators who need two factors, because a
 * mailbox by itself must not replace both.
 */
async function verifyAddress(user: User, actor: Actor, trx: Transaction) {
  const userId = user.id
  await markVerified(user, { email: user.email!, actor }, trx)
  const keepsMultiFactor = needsMultiFactorMethod(user)
  const { removed, passkeys } = await removeMethods(userId, { since: 0, keepsMultiFactor }, trx)
  const removesMfa = user.wasNeverVerified && Boolean(user.mfaEnabled) && !needsTwoFactors(user)
  if (removesMfa) await removeSecondFactor(userId, trx)
  return { removed: { ...removed, ...(removesMfa && { removedMfa: true }) }, passkeys }
}
