import db from '@adonisjs/lucid/services/db'
import { assertMay, may } from '#auth/callers/permissions'
import { assertActive } from '#auth/lock_for_change'
import { throttleAdminMail } from '#auth/lockout/mail_budget'
import { hashNewPassword } from '#auth/passwords/new_password'
import { record } from '#events/record'
import { DEFAULT_ROLE } from '#models/user'
import { lacksVerifiedEmail } from '#models/verified_email'
import { assertMayGiveRole } from './assert_may_give_role.ts'
import { type NewUser, insertUser } from './insert_user.ts'
import { markInvited } from './invitations.ts'
import type { Actor } from '#audit/actor'

/**
 * Adds a user for an administrator; without a password the user gets an invitation to set one.
 * @throws E_EMAIL_TAKEN, E_TOO_MANY_REQUESTS, and what `assertMay` throws
 */
export async function addUser(newUser: NewUser, actor: Actor) {
  assertMayGiveRole(newUser.role ?? DEFAULT_ROLE, actor)
  if (newUser.emailVerified) assertMay('user.email_verified', actor)
  if (newUser.handle !== undefined) assertMay('user.handle', actor)
  const password = newUser.password ? await hashNewPassword(newUser.password, newUser) : null
  if (isMailed(newUser, password)) await throttleAdminMail(actor, newUser.email)
  return db.transaction(async (trx) => {
    await assertActive(actor, trx)
    const isTrusted = may('user.handle', actor)
    const user = await insertUser({ ...newUser, isTrusted }, password, trx)
    if (!password) await markInvited(user, trx)
    const type = password ? 'account.created' : 'account.invited'
    const verified = newUser.emailVerified ? ({ emailVerified: true } as const) : {}
    await record(trx, { type, user, actor, details: { role: user.role, ...verified } })
    return user
  })
}

/** Whether the user gets a mail: an invitation, or a link that verifies the address. */
function isMailed({ emailVerified = false }: NewUser, password: string | null) {
  return password === null || lacksVerifiedEmail(emailVerified)
}
