import db from '@adonisjs/lucid/services/db'
import { assertMay } from '#auth/callers/permissions'
import { forgetKey } from '#audit/privacy/personal_keys'
import { E_LAST_ADMIN } from '#auth/errors'
import { changeKeepingAnAdmin, isLastAdmin } from '#auth/last_admin'
import { lockForChange } from '#auth/lock_for_change'
import { endSessions } from '#auth/sessions/sessions'
import { clearAllAttempts } from '#auth/lockout/attempts'
import { deleteTokens, hasManyTokens } from '#maintenance/delete_tokens'
import { finishDeletions } from '#maintenance/finish_deletions'
import { assertAccountIsFree, forgetManaged } from '#configuration/managed'
import { record } from '#events/record'
import { leaveGroups } from '#groups/leave_groups'
import { noteMailErasure } from '#mails/log/erase_mails'
import { findProvedAddresses } from '#mails/queue/previous_addresses'
import type User from '#models/user'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

interface Conditions {
  assertDeletable?: (user: User) => void
}

interface Deletion extends Conditions {
  userId: string
  actor: Actor
}

/**
 * Audit events stay, but the key that decrypts personal data in them is deleted.
 * @throws E_NOT_FOUND, E_LAST_ADMIN, E_TOKEN_REVOKED, and what `assertMay` and `conditions` throw
 */
export async function deleteUser(userId: string, actor: Actor, conditions: Conditions = {}) {
  if (actor.id === userId) assertMay('own_account', actor)
  if (await hasManyTokens(userId)) await deleteTokensBefore({ userId, actor, ...conditions })
  const deleted = await changeKeepingAnAdmin((trx) =>
    deleteWithin({ userId, actor, ...conditions }, trx)
  )
  await finishDeletions()
  return deleted
}

/** One statement for all tokens would stop every request on SQLite. A refusal deletes no token. */
async function deleteTokensBefore({ userId, actor, assertDeletable }: Deletion) {
  await db.transaction(async (trx) => {
    if (await isLastAdmin(userId, trx)) throw new E_LAST_ADMIN()
    const user = await lockForChange(userId, actor, trx)
    await assertMayDelete(user, { actor, assertDeletable }, trx)
  })
  await deleteTokens(userId)
}

async function assertMayDelete(
  user: User,
  { actor, assertDeletable }: Omit<Deletion, 'userId'>,
  trx: Transaction
) {
  assertDeletable?.(user)
  if (user.isAdmin) assertMay('administrator', actor)
  if (!user.isService) return
  await forgetManaged({ kind: 'service_account', id: user.id }, trx)
  await assertAccountIsFree(user.id, trx)
}

/** The caller ensures that an administrator is left, and calls `finishDeletions` after its commit. */
export async function deleteWithin({ userId, actor, assertDeletable }: Deletion, trx: Transaction) {
  const user = await lockForChange(userId, actor, trx)
  await assertMayDelete(user, { actor, assertDeletable }, trx)
  await endSessions(userId, { trx })
  await clearAllAttempts(user, trx)
  await noteMailErasure(user, trx)
  const addresses = await findProvedAddresses(user, trx)
  await leaveGroups(user, trx)
  await trx.from('users').where('id', userId).delete()
  forgetKey(userId, trx)
  await record(trx, { type: 'account.deleted', user, actor, context: { addresses } })
  return user
}
