import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import { ADMIN_ROLE } from '#models/user'
import { E_LAST_ADMIN } from '#auth/errors'
import { METHOD_LIST } from '#auth/methods/methods'
import { mustVerifyEmailNow } from '#models/verified_email'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { Transaction } from '#database/transaction'

type Query = DatabaseQueryBuilderContract

/**
 * Refuses a change after which no administrator can sign in. Locks all administrators first, so
 * that two cannot remove each other in parallel. @throws E_LAST_ADMIN
 */
export function changeKeepingAnAdmin<T>(change: (trx: Transaction) => Promise<T>): Promise<T> {
  return db.transaction(async (trx) => {
    await lockAdminsForUpdate(trx)
    const before = await canAnAdminSignIn(trx)
    const result = await change(trx)
    if (before && !(await canAnAdminSignIn(trx))) throw new E_LAST_ADMIN()
    return result
  })
}

export function changeUserKeepingAnAdmin<T>(
  { isAdmin }: { isAdmin: boolean },
  change: (trx: Transaction) => Promise<T>
) {
  return isAdmin ? changeKeepingAnAdmin(change) : db.transaction(change)
}

/** Returns whether `changeKeepingAnAdmin` would now refuse to delete this user. */
export async function isLastAdmin(userId: string, trx: Transaction) {
  await lockAdminsForUpdate(trx)
  return (await canAnAdminSignIn(trx)) && !(await canAnAdminSignIn(trx, { without: userId }))
}

// All callers lock in this order and before any other row, which prevents deadlocks.
export async function lockAdminsForUpdate(trx: Transaction) {
  await trx.from('users').where('role', ADMIN_ROLE).orderBy('id').forUpdate().select('id')
}

export async function canAnAdminSignIn(
  trx: Transaction,
  { without = '', mustVerify = false } = {}
) {
  const admins = trx.from('users').where({ role: ADMIN_ROLE, kind: 'person' })
  const able = admins
    .whereNull('disabled_at')
    .where(isNotLockedByAdministrator)
    .where((query) => hasFirstStep(query, trx))
    .where((query) => hasSecondStep(query, trx))
  if (without) able.whereNot('id', without)
  if (mustVerify || (await mustVerifyEmailNow(trx))) able.whereNotNull('email_verified_at')
  return Boolean(await able.select('id').first())
}

// A lock after failures does not count: it ends soon, and attackers can cause it.
function isNotLockedByAdministrator(query: Query) {
  query
    .whereNull('lock_kind')
    .orWhereNot('lock_kind', 'administrator')
    .orWhere('locked_until', '<=', Date.now())
}

// An invited user has no method yet, and a provider may no longer be configured.
function hasFirstStep(query: Query, trx: Transaction) {
  for (const { orWhereUsable } of METHOD_LIST) orWhereUsable(query, trx)
}

// A user without a second factor can enrol one. If codes are suspended, a backup code works.
function hasSecondStep(query: Query, trx: Transaction) {
  const codes = trx.from('mfa_backup_codes').whereColumn('mfa_backup_codes.user_id', 'users.id')
  query
    .where('mfa_enabled', false)
    .orWhere('mfa_failures', '<', limits.wrongCodesInARow)
    .orWhereExists(codes.whereNull('used_at'))
  const both = METHOD_LIST.filter(({ isMultiFactor }) => isMultiFactor)
  for (const { orWhereUsable } of both) orWhereUsable(query, trx)
}
