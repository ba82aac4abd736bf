import db from '@adonisjs/lucid/services/db'
import settings from '#config/mfa'
import User from '#models/user'
import { E_INVALID_CODE, E_MFA_ENABLED, E_MFA_NOT_ENABLED } from '#auth/errors'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { assertCurrentPassword } from '#auth/passwords/current_password'
import { clearCodeThrottle, throttleCode } from '#auth/lockout/throttle'
import { endSessions } from '#auth/sessions/sessions'
import { recordAudit, type AuditAction } from '#audit/trail'
import { queueMail } from '#mails/queue_mail'
import { forgetBackupCodes, replaceBackupCodes } from './backup_codes.ts'
import { assertReauthenticated } from './reauthentication.ts'
import { canonicalCode } from './codes.ts'
import { decryptSecret, encryptSecret, findTimeStep, newSecret } from './totp.ts'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

/** Who changes their own multi-factor: the user, the session that goes on, and the actor. */
export interface MfaOwner {
  userId: string
  /** Every other session ends when the second factor appears or goes. */
  sessionId: string
  actor: Actor
}

async function findOwner({ userId }: MfaOwner) {
  const user = await User.find(userId)
  if (!user) throw new E_NOT_FOUND()
  return user
}

/**
 * Shows a secret for an authenticator app. Nothing changes for the user until a code
 * confirms that the app has it.
 */
export async function beginEnrolment(owner: MfaOwner, currentPassword: string) {
  const user = await findOwner(owner)
  await assertCurrentPassword(user, currentPassword)
  if (user.mfaEnabled) throw new E_MFA_ENABLED()
  const { secret, otpauthUrl } = newSecret(user.email)
  const pending = {
    user_id: user.id,
    secret: encryptSecret(user.id, secret),
    expires_at: Date.now() + settings.enrolmentTtlMs,
  }
  await db.knexQuery().table('mfa_enrolments').insert(pending).onConflict('user_id').merge()
  const { toDataURL } = await import('qrcode')
  return { secret, otpauthUrl, qrCode: await toDataURL(otpauthUrl) }
}

/**
 * Confirms the pending secret with a code and turns multi-factor on.
 *
 * @param given.secret when sent, it has to be the pending one
 * @returns ten backup codes, shown this once
 * @throws E_INVALID_CODE, E_TOO_MANY_REQUESTS after too many
 */
export async function confirmEnrolment(owner: MfaOwner, given: { code: string; secret?: string }) {
  const user = await findOwner(owner)
  if (user.mfaEnabled) throw new E_MFA_ENABLED()
  await throttleCode(user.id)
  const secret = await findPendingSecret(user.id)
  const isMeant = !given.secret || canonicalCode(given.secret) === secret
  const step =
    secret && isMeant ? await findTimeStep(secret, canonicalCode(given.code), null) : null
  if (!secret || step === null) throw new E_INVALID_CODE()
  await clearCodeThrottle(user.id)
  return db.transaction((trx) => turnOn(owner, user, { secret, step }, trx))
}

async function findPendingSecret(userId: string) {
  const row = await db
    .from('mfa_enrolments')
    .where('user_id', userId)
    .where('expires_at', '>', Date.now())
    .first()
  return row ? decryptSecret(userId, row.secret) : null
}

/** Of two confirmations at once the one that removes the pending secret goes on. */
async function turnOn(
  owner: MfaOwner,
  user: User,
  { secret, step }: { secret: string; step: number },
  trx: Transaction
) {
  const removed = await trx.from('mfa_enrolments').where('user_id', user.id).delete()
  if (Number(removed) !== 1) throw new E_INVALID_CODE()
  const columns = { mfa_secret: encryptSecret(user.id, secret), mfa_last_step: step }
  await writeMfa(user.id, { mfa_enabled: true, ...columns }, trx)
  const backupCodes = await replaceBackupCodes(user.id, trx)
  await finish(owner, user, 'mfa.enabled', trx)
  return backupCodes
}

/** Proves both factors of the owner before either is changed. */
async function assertBothFactors(
  owner: MfaOwner,
  proof: { currentPassword: string; code: string }
) {
  const user = await findOwner(owner)
  await assertReauthenticated(user, { password: proof.currentPassword, code: proof.code })
  if (!user.mfaEnabled) throw new E_MFA_NOT_ENABLED()
  return user
}

/** Replaces the backup codes; those of before stop working. */
export async function renewBackupCodes(
  owner: MfaOwner,
  proof: { currentPassword: string; code: string }
) {
  const user = await assertBothFactors(owner, proof)
  return db.transaction(async (trx) => {
    const backupCodes = await replaceBackupCodes(user.id, trx)
    const { actor } = owner
    await recordAudit({ action: 'mfa.backup_codes_replaced', actor, targetId: user.id }, trx)
    return backupCodes
  })
}

/** Turns multi-factor off. */
export async function disableMfa(
  owner: MfaOwner,
  proof: { currentPassword: string; code: string }
) {
  const user = await assertBothFactors(owner, proof)
  await db.transaction(async (trx) => {
    await removeMfa(user.id, trx)
    await finish(owner, user, 'mfa.disabled', trx)
  })
}

/** Takes secret and backup codes off a user, whoever asked for it. */
export async function removeMfa(userId: string, trx: Transaction) {
  await writeMfa(userId, { mfa_enabled: false, mfa_secret: null, mfa_last_step: null }, trx)
  await forgetBackupCodes(userId, trx)
  await trx.from('mfa_enrolments').where('user_id', userId).delete()
  await trx.from('mfa_challenges').where('user_id', userId).delete()
}

async function writeMfa(userId: string, columns: object, trx: Transaction) {
  await trx
    .from('users')
    .where('id', userId)
    .update({ ...columns, updated_at: Date.now() })
}

async function finish(owner: MfaOwner, user: User, action: AuditAction, trx: Transaction) {
  const endedSessions = await endSessions(user.id, { except: owner.sessionId, trx })
  const kind = action === 'mfa.enabled' ? 'mfa_enabled' : 'mfa_disabled'
  await queueMail({ kind, recipient: user.email, userId: user.id, contents: {} }, trx)
  const details = { endedSessions }
  await recordAudit({ action, actor: owner.actor, targetId: user.id, details }, trx)
}
