import db from '@adonisjs/lucid/services/db'
import { assertMay } from '#auth/callers/permissions'
import { changeKeepingAnAdmin } from '#auth/last_admin'
import { lockForChange } from '#auth/lock_for_change'
import { endSessions } from '#auth/sessions/sessions'
import { record } from '#events/record'
import type User from '#models/user'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

interface Disabling {
  reason?: string | null
}

/** @throws E_NOT_FOUND, E_LAST_ADMIN, and what `assertMay` throws */
export function disableUser(userId: string, disabling: Disabling, actor: Actor) {
  return changeKeepingAnAdmin(async (trx) => {
    const user = await lockForChange(userId, actor, trx)
    await disableWithin(user, { ...disabling, actor }, trx)
    return user.refresh()
  })
}

/** The caller has locked the row of the user, as for `enableWithin`. */
export async function disableWithin(
  user: User,
  { reason, actor }: Disabling & { actor: Actor },
  trx: Transaction
) {
  const now = Date.now()
  const disabledReason = reason ?? user.disabledReason
  const isChange = !user.isDisabled || disabledReason !== user.disabledReason
  if (isChange && user.isAdmin) assertMay('administrator', actor)
  const disabledAt = user.disabledAt?.toMillis() ?? now
  await update(user, { disabled_at: disabledAt, disabled_reason: disabledReason }, trx)
  if (user.isDisabled) return
  await endSessions(user.id, { trx })
  const details = { disabled: { before: false, after: true }, ...(reason && { reason }) }
  // No mail is sent, because the user is told at the next sign-in.
  await record(trx, { type: 'account.disabled', user, actor, details })
}

/** @throws E_NOT_FOUND, and what `assertMay` throws */
export function enableUser(userId: string, actor: Actor) {
  return db.transaction(async (trx) => {
    const user = await lockForChange(userId, actor, trx)
    await enableWithin(user, actor, trx)
    return user.refresh()
  })
}

export async function enableWithin(user: User, actor: Actor, trx: Transaction) {
  if (!user.isDisabled) return
  if (user.isAdmin) assertMay('administrator', actor)
  await update(user, { disabled_at: null, disabled_reason: null }, trx)
  const details = { disabled: { before: true, after: false } }
  await record(trx, { type: 'account.enabled', user, actor, details })
}

function update({ id }: User, columns: object, trx: Transaction) {
  return trx
    .from('users')
    .where('id', id)
    .update({ ...columns, updated_at: Date.now() })
}
