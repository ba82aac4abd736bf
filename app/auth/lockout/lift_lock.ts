import { record } from '#events/record'
import { clearAttempts } from './attempts.ts'
import type { SignInMethod } from '#auth/methods/sign_in_method'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'
import type User from '#models/user'

/** For a user who proved the mailbox or a passkey. Does not lift a lock by an administrator. */
export async function liftLockByFailures(
  user: User,
  { actor, method }: { actor: Actor; method: 'mail' | SignInMethod },
  trx: Transaction
) {
  if (user.currentLockKind === 'administrator') return
  await clearAttempts({ email: user.email }, trx)
  const lifted = await trx
    .from('users')
    .where('id', user.id)
    .whereRaw(`COALESCE(lock_kind, 'failures') = 'failures'`)
    .where('locked_until', '>', Date.now())
    .update({ locked_until: null, lock_kind: null })
  if (Number(lifted) === 0) return
  const details = { lockKind: 'failures', method } as const
  await record(trx, { type: 'account.unlocked', user, actor, details })
}
