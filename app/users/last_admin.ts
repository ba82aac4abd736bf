import User, { ADMIN_ROLE } from '#models/user'
import { E_INCORRECT_PASSWORD } from '#auth/errors'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { E_LAST_ADMIN } from './errors.ts'
import { adminsAbleToSignIn } from './first_admin.ts'
import type { Transaction } from '#database/transaction'

/**
 * The row as it is now, held until the transaction ends.
 *
 * @param proven the user as its owner proved themselves; a password that was changed
 * since then proves nothing any more
 */
export async function lockUserForUpdate(userId: string, trx: Transaction, proven?: User) {
  const user = await User.lockForUpdate(userId, trx)
  if (!user) throw new E_NOT_FOUND()
  const isStale = proven && +proven.passwordChangedAt! !== +user.passwordChangedAt!
  if (isStale) throw new E_INCORRECT_PASSWORD()
  return user
}

/**
 * Refuses to take the last administrator away; one who has no way to sign in yet, as
 * somebody invited, does not count. The rows of all administrators are held,
 * so that two who remove each other at the same moment wait for one another.
 */
export async function assertAnotherAdmin(userId: string, trx: Transaction) {
  const admins = await adminsAbleToSignIn(trx)
    .whereNull('disabled_at')
    .orderBy('id')
    .forUpdate()
    .select('id')
  if (!admins.some((admin) => admin.id !== userId)) throw new E_LAST_ADMIN()
}

/** Administrators are always held before anybody else, in one order: no two can wait for each other. */
export async function lockAdminsForUpdate(trx: Transaction) {
  await trx.from('users').where('role', ADMIN_ROLE).orderBy('id').forUpdate().select('id')
}
