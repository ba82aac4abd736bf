import { type NewUser, insertUser } from './insert_user.ts'
import { queueVerificationMail } from './email_verification.ts'
import db from '@adonisjs/lucid/services/db'
import { DEFAULT_ROLE } from '#models/user'
import { hashPassword } from '#auth/passwords/password_hash'
import { recordAudit } from '#audit/trail'
import { userActor } from '#audit/actor'

/** Registers a user by itself and mails the link that verifies its address. */
export async function registerUser(
  newUser: NewUser & { password: string },
  from: { ip: string; userAgent: string | null }
) {
  const password = await hashPassword(newUser.password)
  return db.transaction(async (trx) => {
    const user = await insertUser({ ...newUser, role: DEFAULT_ROLE }, password, trx)
    await queueVerificationMail(user, trx)
    await recordAudit(
      { action: 'account.registered', actor: userActor(user.id, from), targetId: user.id },
      trx
    )
    return user
  })
}
