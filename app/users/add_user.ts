import db from '@adonisjs/lucid/services/db'
import { assertActive } from '#auth/lock_for_change'
import { hashNewPassword } from '#auth/passwords/new_password'
import { lacksVerifiedEmail } from '#auth/verified_email'
import { recordAudit } from '#audit/trail'
import { DEFAULT_ROLE } from '#models/user'
import { queueVerificationMail } from '#mails/queue/queue_mail'
import { assertMayGiveRole } from './assert_may_give_role.ts'
import { type NewUser, insertUser } from './insert_user.ts'
import { sendInvitation } from './invitations.ts'
import type { Actor } from '#audit/actor'

/** Creates a user on behalf of an administrator: with a password, or with an invitation to set one. */
export async function addUser(newUser: NewUser, actor: Actor) {
  assertMayGiveRole(newUser.role ?? DEFAULT_ROLE, actor)
  const password = newUser.password ? await hashNewPassword(newUser.password, newUser) : null
  return db.transaction(async (trx) => {
    await assertActive(actor, trx)
    const user = await insertUser(newUser, password, trx)
    if (!password) await sendInvitation(user, trx)
    else if (lacksVerifiedEmail(user.isEmailVerified)) {
      await queueVerificationMail(user.email, { budget: null }, trx)
    }
    const action = password ? 'account.created' : 'account.invited'
    await recordAudit({ action, actor, targetId: user.id, details: { role: user.role } }, trx)
    return user
  })
}
