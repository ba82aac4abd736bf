import { type NewUser, insertUser } from './insert_user.ts'
import db from '@adonisjs/lucid/services/db'
import { DEFAULT_ROLE } from '#models/user'
import { hashNewPassword } from '#auth/passwords/new_password'
import { record } from '#events/record'
import { queueAccountExistsMail, queueVerificationMail } from '#mails/queue/queue_link_mails'
import { userActor } from '#audit/actor'
import { E_EMAIL_TAKEN } from './errors.ts'
import { assertMaySignUp } from './sign_up.ts'
import { ensureSettings } from '#settings/values/ensure_settings'
import type { RequestSource } from '#auth/sessions/device'

/** @throws E_SIGN_UP_CLOSED, E_VALIDATION_ERROR, E_EMAIL_TAKEN, E_BUSY */
export async function registerUser(newUser: NewUser & { password: string }, from: RequestSource) {
  await ensureSettings()
  assertMaySignUp(newUser.email)
  const password = await hashNewPassword(newUser.password, newUser)
  return db.transaction(async (trx) => {
    const user = await insertUser(
      { ...newUser, role: DEFAULT_ROLE, isTrusted: false },
      password,
      trx
    )
    await record(trx, { type: 'account.registered', user, actor: userActor(user.id, from) })
    return user
  })
}

/**
 * The owner of a taken address gets a mail, because the page must not reveal who has an account.
 * @throws E_SIGN_UP_CLOSED, E_VALIDATION_ERROR, E_BUSY
 */
export async function registerOrNotifyOwner(
  newUser: NewUser & { password: string },
  from: RequestSource
) {
  try {
    await registerUser(newUser, from)
  } catch (error) {
    if (!(error instanceof E_EMAIL_TAKEN)) throw error
    await db.transaction(async (trx) => {
      await queueVerificationMail(newUser.email, { budget: 'registration' }, trx)
      await queueAccountExistsMail(newUser.email, trx)
    })
  }
}
