import User from '#models/user'
import { throttleHandleChange } from '#auth/lockout/throttle'
import { getReauthenticatedUserOrFail, type Reauthentication } from '#auth/mfa/reauthentication'
import { assertRecentAuthentication } from '#auth/mfa/recent_authentication'
import { isDelegated } from '#auth/callers/caller_kind'
import { assertMay } from '#auth/callers/permissions'
import { E_FORBIDDEN, E_NOT_FOUND } from '#exceptions/http_errors'
import { deleteUser } from './delete_user.ts'
import { editUser, type UserEdit } from './edit_user.ts'
import { reachesAdmin, stateAfter, stateOf } from './user_changes.ts'
import type { Actor } from '#audit/actor'
import type { ChangeOptions } from './user_changes.ts'

/** Clients send back whole records, so `pendingEmail` is accepted. */
export type OwnChanges = Omit<UserEdit, 'pendingEmail'> &
  ChangeOptions & { pendingEmail?: string | null }

/**
 * Needs a recent authentication: a session thief could otherwise change address and password.
 * @throws E_FORBIDDEN, and what `assertMay`, `assertRecentAuthentication` and `editUser` throw
 */
export async function updateProfile(
  caller: Reauthentication,
  changes: OwnChanges,
  { isAdmin = false } = {}
) {
  const user = await User.find(caller.userId)
  if (!user) throw new E_NOT_FOUND()
  const { pendingEmail, ...fields } = changes
  if (!isAdmin) leaveAppMetadata(user, fields, caller.actor)
  const isSentBack = fields.email === user.email && pendingEmail === user.currentPendingEmail
  if (isSentBack) delete fields.email
  if (!isSensitive(user, fields)) return editUser(user.id, fields, caller.actor)
  await assertRecentAuthentication(user, caller)
  if (isRenamed(user, fields)) await throttleHandleChange(user.id)
  return editUser(user.id, fields, reauthenticatedActor(caller))
}

/** A record that a program sends back contains it, and must not undo an administrator's change. */
function leaveAppMetadata(user: User, fields: UserEdit, actor: Actor) {
  const { appMetadata } = fields
  delete fields.appMetadata
  const before = stateOf(user)
  const after = stateAfter(before, { appMetadata }, true)
  if (after.appMetadata === before.appMetadata) return
  if (isDelegated(actor)) assertMay('user.app_metadata', actor)
  throw new E_FORBIDDEN()
}

function isSensitive(user: User, edit: UserEdit) {
  const { role = user.role, disabled = user.isDisabled, disabledReason, ...fields } = edit
  const before = stateOf(user)
  const isMoving = fields.email !== undefined && fields.email !== user.email
  const hasNewAccess = role !== user.role || disabled !== user.isDisabled
  const transition = { before, after: stateAfter(before, fields, true) }
  const { before: old, after } = transition
  if (after.appMetadata !== old.appMetadata) return true
  return isMoving || isRenamed(user, fields) || hasNewAccess || reachesAdmin(user, transition)
}

function isRenamed({ handle: before }: User, { handle }: UserEdit) {
  return handle !== undefined && handle !== before
}

export async function deleteProfile(caller: Reauthentication) {
  const user = await getReauthenticatedUserOrFail(caller)
  return deleteUser(user.id, reauthenticatedActor(caller))
}

function reauthenticatedActor({ actor }: Reauthentication): Actor {
  return { ...actor, hasRecentAuthentication: true }
}
