import User from '#models/user'
import { E_INCORRECT_PASSWORD } from '#auth/errors'
import { assertCurrentPassword } from '#auth/passwords/current_password'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { deleteUser } from './delete_user.ts'
import { updateReauthenticatedUser } from './update_user.ts'
import type { UserChanges } from './user_changes.ts'
import type { Actor } from '#audit/actor'

/** What users may change of themselves; a new address needs the current password besides. */
export type OwnChanges = Pick<UserChanges, 'username' | 'nickname' | 'email'> & {
  currentPassword?: string
  /** Of a record that is sent back. */
  pendingEmail?: string | null
}

/**
 * Changes the user of the caller. A new address needs the current password: an attacker
 * with a stolen session could otherwise move the user to an address of their own and
 * reset the password there.
 */
export async function updateProfile(userId: string, changes: OwnChanges, actor: Actor) {
  const { currentPassword, pendingEmail, ...fields } = changes
  const user = await getCallerOrFail(userId)
  const isSentBack = fields.email === user.email && pendingEmail === user.pendingEmail
  if (isSentBack) delete fields.email
  if (fields.email !== undefined && fields.email !== user.email) {
    if (!currentPassword) throw new E_INCORRECT_PASSWORD()
    await assertCurrentPassword(user, currentPassword)
  }
  return updateReauthenticatedUser(user, fields, actor)
}

/** Deletes the user of the caller. */
export async function deleteProfile(userId: string, currentPassword: string, actor: Actor) {
  const user = await getCallerOrFail(userId)
  await assertCurrentPassword(user, currentPassword)
  return deleteUser(userId, actor, { reauthenticated: user })
}

async function getCallerOrFail(userId: string) {
  const user = await User.find(userId)
  if (!user) throw new E_NOT_FOUND()
  return user
}
