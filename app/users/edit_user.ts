import { lockForChange } from '#auth/lock_for_change'
import { changeRoleWithin } from './change_role.ts'
import { disableWithin, enableWithin } from './disable_user.ts'
import { throttleChange, transactionFor, updateWithin } from './update_user.ts'
import type User from '#models/user'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'
import type { ChangeOptions, UserChanges } from './user_changes.ts'

export interface UserEdit extends UserChanges {
  role?: string
  disabled?: boolean
  disabledReason?: string | null
}

/** Applies all changes or none. @throws what `changeRole`, `disableUser`, `enableUser` and `updateUser` throw */
export async function editUser(userId: string, edit: UserEdit & ChangeOptions, actor: Actor) {
  const { role, disabled, disabledReason, ...fields } = edit
  await throttleChange(userId, fields, actor)
  const mayKeepOut = disabled === true || role !== undefined
  return transactionFor(
    fields,
    mayKeepOut
  )(async (trx) => {
    const user = await lockForChange(userId, actor, trx)
    if (role !== undefined) await changeRoleWithin(user, { role, actor }, trx)
    await applyDisabling(user, { disabled, disabledReason, actor }, trx)
    await updateWithin(user, { changes: fields, actor }, trx)
    return user.refresh()
  })
}

async function applyDisabling(
  user: User,
  { disabled = user.isDisabled, disabledReason, actor }: Disabling,
  trx: Transaction
) {
  if (disabled) await disableWithin(user, { reason: disabledReason, actor }, trx)
  else await enableWithin(user, actor, trx)
}

interface Disabling extends Pick<UserEdit, 'disabled' | 'disabledReason'> {
  actor: Actor
}
