import { ADMIN_ROLE } from '#models/user'
import { E_LAST_ADMIN } from './errors.ts'
import { adminsAbleToSignIn } from './first_admin.ts'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { Transaction } from '#database/transaction'

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
