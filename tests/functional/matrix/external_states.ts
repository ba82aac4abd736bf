import db from '@adonisjs/lucid/services/db'
import { SYSTEM } from '#audit/actor'
import { deleteUser } from '#users/delete_user'
import type User from '#models/user'

/* States of a user whom a provider names, and the answer to a sign-in by the provider. */

interface UserState {
  state: string
  /** Null if the user is deleted. */
  change: object | null
  code: string | null
}

/** Answers for an identity that is not linked yet and has the verified address of the user. */
export const STATES: UserState[] = [
  { state: 'locked', change: { locked_until: 4_102_444_800_000 }, code: 'E_ACCOUNT_LOCKED' },
  { state: 'disabled', change: { disabled_at: 1 }, code: 'E_ACCOUNT_DISABLED' },
  { state: 'with a second factor', change: { mfa_enabled: true }, code: 'E_MFA_REQUIRED' },
  { state: 'unverified', change: { email_verified_at: null }, code: 'E_IDENTITY_CONFLICT' },
  { state: 'without password', change: { password: null }, code: null },
  { state: 'due to change the password', change: { must_change_password: true }, code: null },
  { state: 'deleted', change: null, code: null },
]

/** @param change of a row in `STATES` */
export async function bringInto({ id }: User, change: object | null) {
  if (change) await db.from('users').where('id', id).update(change)
  else await deleteUser(id, SYSTEM)
}

/** Answers for an identity that the user has linked: its address does not matter. */
export const LINKED = STATES.map((row) => ({
  ...row,
  code: row.state === 'unverified' ? null : row.code,
}))
