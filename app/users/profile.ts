import User from '#models/user'
import { getProvenCallerOrFail, type ProvingCaller } from '#auth/mfa/reauthentication'
import { assertRecentProof } from '#auth/mfa/recent_proof'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { deleteUser } from './delete_user.ts'
import { editUser, type UserEdit } from './edit_user.ts'
import { reachesAdmin, stateAfter, stateOf } from './user_changes.ts'
import type { Actor } from '#audit/actor'
import type { ChangeOptions } from './user_changes.ts'

/** What users may change of themselves, and `pendingEmail` of a record that is sent back. */
export type OwnChanges = Omit<UserEdit, 'pendingEmail'> &
  ChangeOptions & { pendingEmail?: string | null }

/**
 * Changes the user of the caller. A new address needs a recent proof: an attacker with a
 * stolen session could otherwise move the user to an address of their own and reset the
 * password there. So does whatever an administrator changes of their own access.
 */
export async function updateProfile(caller: ProvingCaller, changes: OwnChanges) {
  const { pendingEmail, ...fields } = changes
  const user = await User.find(caller.userId)
  if (!user) throw new E_NOT_FOUND()
  const isSentBack = fields.email === user.email && pendingEmail === user.presentPendingEmail
  if (isSentBack) delete fields.email
  if (!isSensitive(user, fields)) return editUser(user.id, fields, caller.actor)
  await assertRecentProof(user, caller)
  return editUser(user.id, fields, proven(caller))
}

function isSensitive(user: User, edit: UserEdit) {
  const { role = user.role, disabled = user.isDisabled, disabledReason, ...fields } = edit
  const before = stateOf(user)
  const isMoving = fields.email !== undefined && fields.email !== user.email
  const hasNewAccess = role !== user.role || disabled !== user.isDisabled
  const transition = { before, after: stateAfter(before, fields, true) }
  return isMoving || hasNewAccess || reachesAdmin(user, transition)
}

/** Deletes the user of the caller. */
export async function deleteProfile(caller: ProvingCaller) {
  const user = await getProvenCallerOrFail(caller)
  return deleteUser(user.id, proven(caller))
}

/** The caller as the actor of a change, after the proof. */
function proven({ actor }: ProvingCaller): Actor {
  return { ...actor, hasRecentProof: true }
}
