import { E_HANDLE_IN_USE, E_HANDLE_TAKEN } from '#users/errors'
import { claimExactly, isReserved } from './claim_handle.ts'
import type { Actor } from '#audit/actor'
import type User from '#models/user'
import type { Transaction } from '#database/transaction'

/**
 * Must run before the user's row is written. The caller has locked that row.
 * @throws E_HANDLE_IN_USE, E_HANDLE_TAKEN
 */
export async function claimNewHandle(
  user: User,
  { handle, actor }: { handle: string; actor: Actor },
  trx: Transaction
) {
  const isOwn = actor.id === user.id && !user.isAdmin
  if (isOwn && !user.mayChangeHandle) throw new E_HANDLE_IN_USE()
  if (isOwn && isReserved(handle)) throw new E_HANDLE_TAKEN()
  await claimExactly({ userId: user.id, handle }, trx)
}
