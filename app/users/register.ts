import { type NewUser, insertUser } from './insert_user.ts'
import db from '@adonisjs/lucid/services/db'
import { DEFAULT_ROLE } from '#models/user'
import { hashNewPassword } from '#auth/passwords/new_password'
import { recordAudit } from '#audit/trail'
import { queueVerificationMail } from '#mails/queue_mail'
import { userActor } from '#audit/actor'
import { assertMaySignUp } from './sign_up.ts'
import type { Origin } from '#auth/sessions/device'

/**
 * Registers a user on their own request and mails the link that verifies their address.
 *
 * @throws E_SIGN_UP_CLOSED, E_VALIDATION_ERROR, E_EMAIL_TAKEN, E_BUSY
 */
export async function registerUser(newUser: NewUser & { password: string }, from: Origin) {
  assertMaySignUp(newUser.email)
  const password = await hashNewPassword(newUser.password, newUser)
  return db.transaction(async (trx) => {
    const user = await insertUser({ ...newUser, role: DEFAULT_ROLE }, password, trx)
    await queueVerificationMail(user.email, { budget: 'registration' }, trx)
    const actor = userActor(user.id, from)
    await recordAudit({ action: 'account.registered', actor, targetId: user.id }, trx)
    return user
  })
}
