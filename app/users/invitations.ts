import db from '@adonisjs/lucid/services/db'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { lockForChange } from '#auth/lock_for_change'
import { throttleAdminMail } from '#auth/lockout/mail_budget'
import { record } from '#events/record'
import { deleteUser } from './delete_user.ts'
import type { Transaction } from '#database/transaction'
import type { Actor } from '#audit/actor'
import type User from '#models/user'

/** Whether the user has never been able to sign in: invited, or imported without a password. */
export function isUnused(user: User) {
  return (
    !user.isService && !user.password && !user.provider && !user.hasPasskey && !user.lastLoginAt
  )
}

export function isInvited(user: User) {
  return Boolean(user.invitedAt) && isUnused(user)
}

/** `isInvited` in SQL, the condition of a partial index (migration 0012). */
export const IS_INVITED =
  'invited_at IS NOT NULL AND password IS NULL AND provider IS NULL AND last_login_at IS NULL'

function assertUnused(user: User) {
  if (!isUnused(user)) throw new E_NOT_FOUND()
}

function assertInvited(user: User) {
  if (!isInvited(user)) throw new E_NOT_FOUND()
}

/** Queries the trail by its index, because a scan of a million users is slow. */
export async function hasInvited() {
  const invitations = db.from('audit_events').where('action', 'account.invited')
  return Boolean(await invitations.select('id').first())
}

/**
 * Voids the link of an earlier invitation. Refuses for a user who has just accepted it.
 * @throws E_NOT_FOUND, E_TOKEN_REVOKED, E_TOO_MANY_REQUESTS
 */
export async function resendInvitation({ id, email }: User, actor: Actor) {
  await throttleAdminMail(actor, email)
  return db.transaction(async (trx) => {
    const user = await lockForChange(id, actor, trx)
    assertUnused(user)
    await markInvited(user, trx)
    await record(trx, { type: 'account.invited', user, actor })
    return user
  })
}

/** Does not delete a user who has just accepted the invitation. @throws what `deleteUser` throws */
export function revokeInvitation({ id }: User, actor: Actor) {
  return deleteUser(id, actor, { assertDeletable: assertInvited })
}

export async function markInvited(user: User, trx: Transaction) {
  await trx.from('users').where('id', user.id).update({ invited_at: Date.now() })
}
