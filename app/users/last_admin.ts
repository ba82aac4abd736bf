import User, { ADMIN_ROLE } from '#models/user'
import { E_INCORRECT_PASSWORD } from '#auth/errors'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { E_LAST_ADMIN } from './errors.ts'
import { adminsAbleToSignIn } from './first_admin.ts'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { Transaction } from '#database/transaction'

/**
 * Reads the row of a user and locks it until the transaction ends.
 *
 * @param reauthenticated the user as read when they proved their password
 * @throws E_NOT_FOUND, and E_INCORRECT_PASSWORD if the password has changed since that proof
 */
export async function lockUserForUpdate(userId: string, trx: Transaction, reauthenticated?: User) {
  const user = await User.lockForUpdate(userId, trx)
  if (!user) throw new E_NOT_FOUND()
  const isStale =
    reauthenticated && +reauthenticated.passwordChangedAt! !== +user.passwordChangedAt!
  if (isStale) throw new E_INCORRECT_PASSWORD()
  return user
}

/**
 * Refuses to remove the last administrator. One who cannot sign in yet, such as an invited
 * one, or who is locked by an administrator, does not count. The rows of all administrators are locked, so that of two who
 * remove each other at the same moment only one succeeds.
 *
 * @throws E_LAST_ADMIN
 */
export async function assertAnotherAdmin(userId: string, trx: Transaction) {
  const admins = await adminsAbleToSignIn(trx)
    .whereNull('disabled_at')
    .where(isNotLockedByAdministrator)
    .orderBy('id')
    .forUpdate()
    .select('id')
  if (!admins.some((admin) => admin.id !== userId)) throw new E_LAST_ADMIN()
}

/** A lock after failures does not count: it ends soon, and strangers can cause it. */
function isNotLockedByAdministrator(query: DatabaseQueryBuilderContract) {
  query
    .whereNull('lock_kind')
    .orWhereNot('lock_kind', 'administrator')
    .orWhere('locked_until', '<=', Date.now())
}

/** Locks the rows of all administrators, in one order and before any other row, against deadlocks. */
export async function lockAdminsForUpdate(trx: Transaction) {
  await trx.from('users').where('role', ADMIN_ROLE).orderBy('id').forUpdate().select('id')
}
