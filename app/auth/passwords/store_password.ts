import { voidOneTimeTokens, type OneTimePurpose } from '#auth/tokens/one_time_tokens'
import { queueMail } from '#mails/queue_mail'
import type User from '#models/user'
import type { Transaction } from '#database/transaction'

/** What allows to set a password; all but the last were mailed. */
export const PASSWORD_TOKENS: OneTimePurpose[] = ['password_reset', 'invitation', 'password_change']

interface NewPassword {
  hash: string
  mustChange?: boolean
  /** The tokens that set a password until now and stop working. */
  voids: OneTimePurpose[]
}

/**
 * Stores a password in the place of the one that the user was read with. A second
 * factor that was not yet confirmed goes with that one.
 *
 * @returns false when another one was stored in the meantime
 */
export async function storePassword(
  user: User,
  { hash, mustChange = false, voids }: NewPassword,
  trx: Transaction
) {
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
  await voidOneTimeTokens(user.id, voids, trx)
  await trx.from('mfa_enrolments').where('user_id', user.id).delete()
  return true
}

export async function queuePasswordChangedMail(user: User, trx: Transaction) {
  await queueMail(
    { kind: 'password_changed', recipient: user.email, userId: user.id, contents: {} },
    trx
  )
}
