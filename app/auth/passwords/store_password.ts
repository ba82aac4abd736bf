import { discardPendingSecret } from '#auth/mfa/pending_secret'
import { discardPendingEmail } from '#auth/tokens/pending_email'
import { voidOneTimeTokens } from '#auth/tokens/void_tokens'
import type { OneTimePurpose } from '#auth/tokens/one_time_purposes'
import type User from '#models/user'
import type { Transaction } from '#database/transaction'

/** All tokens but `password_change` are mailed. */
export const PASSWORD_TOKENS: OneTimePurpose[] = ['password_reset', 'invitation', 'password_change']

interface NewPassword {
  hash: string
  mustChange?: boolean
  voids: OneTimePurpose[]
}

/** @returns false if another password was stored after the user was read */
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
  await discardPendingSecret(user.id, trx)
  await discardPendingEmail(user.id, trx)
  return true
}
