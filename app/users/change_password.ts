import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { hashPassword, verifyPassword } from '#auth/passwords/password_hash'
import { endSessions } from '#auth/sessions/sessions'
import { clearAttempts } from '#auth/lockout/attempts'
import { clearCurrentPasswordThrottle, throttleCurrentPassword } from '#auth/lockout/throttle'
import { removeIdentities } from './identities.ts'
import {
  findLiveToken,
  redeemOneTimeToken,
  voidOneTimeTokens,
  type OneTimePurpose,
} from '#auth/tokens/one_time_tokens'
import { E_INCORRECT_PASSWORD, E_INVALID_TOKEN, E_SAME_PASSWORD } from '#auth/errors'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { recordAudit } from '#audit/trail'
import { queueMail } from '#mails/queue_mail'
import { userActor, type Actor } from '#audit/actor'
import type { Transaction } from '#auth/store/contract'

/**
 * Proves that who holds the session also knows the password. Wrong ones are counted, so
 * that a stolen session cannot be used to guess it.
 *
 * @throws E_INCORRECT_PASSWORD, and E_TOO_MANY_REQUESTS after too many
 */
export async function assertCurrentPassword(user: User, password: string) {
  await throttleCurrentPassword(user.id)
  if (!(await verifyPassword(user.password, password))) throw new E_INCORRECT_PASSWORD()
  await clearCurrentPasswordThrottle(user.id)
}

interface PasswordChange {
  userId: string
  /** The session that goes on; every other one ends. */
  sessionId: string
  currentPassword: string
  newPassword: string
  actor: Actor
}

/** Changes the caller's own password and tells how many other sessions that ended. */
export async function changePassword(change: PasswordChange) {
  const user = await User.find(change.userId)
  if (!user) throw new E_NOT_FOUND()
  await assertCurrentPassword(user, change.currentPassword)
  if (change.newPassword === change.currentPassword) throw new E_SAME_PASSWORD()
  const hash = await hashPassword(change.newPassword)
  return db.transaction(async (trx) => {
    if (!(await storePassword(user, hash, trx))) throw new E_INCORRECT_PASSWORD()
    const endedSessions = await endSessions(user.id, { except: change.sessionId, trx })
    await queuePasswordChangedMail(user, trx)
    const { actor } = change
    const details = { endedSessions }
    await recordAudit({ action: 'password.changed', actor, targetId: user.id, details }, trx)
    return { user, endedSessions }
  })
}

/**
 * Sets a password that somebody other than its owner chose. Every session ends.
 *
 * @param mustChange whether the owner has to choose another one at the next sign-in
 */
export async function setPassword(
  user: User,
  password: string,
  { actor, mustChange = false }: { actor: Actor; mustChange?: boolean }
) {
  const hash = await hashPassword(password)
  return db.transaction(async (trx) => {
    const current = await User.lockForUpdate(user.id, trx)
    if (!current) throw new E_NOT_FOUND()
    await storePassword(current, hash, trx, mustChange)
    const endedSessions = await endSessions(user.id, { trx })
    await queuePasswordChangedMail(user, trx)
    const details = { endedSessions, mustChange }
    await recordAudit({ action: 'password.changed', actor, targetId: user.id, details }, trx)
    return { user, endedSessions }
  })
}

/** What allows to set a password; all but the last were mailed. */
const PASSWORD_TOKENS: OneTimePurpose[] = ['password_reset', 'invitation', 'password_change']

/** The user whose password a token sets, while it does. */
export function findPasswordToken(token: string) {
  return findLiveToken(token, PASSWORD_TOKENS)
}

/**
 * Sets the password that a token allows to set: a forgotten one, the first of an invited
 * user, or one in the place of a temporary one. Whoever could read the mailbox owns the
 * address, so a link from it verifies it, and what was linked before goes; every session
 * ends and a lock is lifted, but a second factor stays.
 *
 * @throws E_INVALID_TOKEN for a token that was used, replaced, never issued or has expired
 */
export async function resetPassword(
  { token, password }: { token: string; password: string },
  from: { ip: string; userAgent: string | null }
) {
  if (!(await findPasswordToken(token))) throw new E_INVALID_TOKEN()
  const hash = await hashPassword(password)
  return db.transaction(async (trx) => {
    const redeemed = await redeemOneTimeToken(token, PASSWORD_TOKENS, trx)
    const user = redeemed && (await User.lockForUpdate(redeemed.userId, trx))
    if (!user || redeemed.email !== user.email) throw new E_INVALID_TOKEN()
    await storePassword(user, hash, trx)
    await trx.from('users').where('id', user.id).update({ locked_until: null })
    await clearAttempts(user.email, trx)
    const endedSessions = await endSessions(user.id, { trx })
    const isProof = redeemed.purpose !== 'password_change' && !user.isEmailVerified
    const unlinked = isProof ? await proveAddress(user.id, trx) : []
    await queuePasswordChangedMail(user, trx)
    const actor = userActor(user.id, from)
    const details = { endedSessions, ...(unlinked.length > 0 && { unlinked }) }
    await recordAudit({ action: 'password.reset', actor, targetId: user.id, details }, trx)
    return { user, endedSessions }
  })
}

/**
 * Verifies the address. Until then anybody may have made the user: what they linked
 * leads into it no more, and no device of theirs counts as known.
 *
 * @returns the providers that were unlinked
 */
async function proveAddress(userId: string, trx: Transaction): Promise<string[]> {
  await trx.from('users').where('id', userId).update({ email_verified_at: Date.now() })
  const identities = await trx.from('identities').where('user_id', userId).select('provider')
  await removeIdentities(userId, {}, trx)
  await trx.from('external_logins').where('user_id', userId).delete()
  await trx.from('known_devices').where('user_id', userId).delete()
  return identities.map(({ provider }) => provider)
}

/**
 * Stores a password in the place of the one that the user was read with; what was
 * begun with that one stops working: mailed links, and a second factor not yet confirmed.
 *
 * @returns false when another one was stored meanwhile: whoever reset it wins
 */
async function storePassword(user: User, hash: string, trx: Transaction, mustChange = false) {
  const now = Date.now()
  const stored = await trx
    .from('users')
    .where({ id: user.id, password_changed_at: user.passwordChangedAt!.toMillis() })
    .update({
      password: hash,
      password_changed_at: now,
      must_change_password: mustChange,
      updated_at: now,
    })
  if (Number(stored) !== 1) return false
  await voidOneTimeTokens(user.id, PASSWORD_TOKENS, trx)
  await trx.from('mfa_enrolments').where('user_id', user.id).delete()
  return true
}

async function queuePasswordChangedMail(user: User, trx: Transaction) {
  await queueMail(
    { kind: 'password_changed', recipient: user.email, userId: user.id, contents: {} },
    trx
  )
}
