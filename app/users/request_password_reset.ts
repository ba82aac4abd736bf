import db from '@adonisjs/lucid/services/db'
import { assertMay } from '#auth/callers/permissions'
import type User from '#models/user'
import { throttleAdminMail } from '#auth/lockout/mail_budget'
import { assertActive, assertNotServiceAccount } from '#auth/lock_for_change'
import { record } from '#events/record'
import { type Actor } from '#audit/actor'
import { queuePasswordResetMail } from '#mails/queue/queue_link_mails'
import { mailServerTrialSince } from '#settings/values/current'
import { E_MAIL_SERVER_CHANGED } from '#settings/errors'
import type { RequestSource } from '#auth/sessions/device'

/* The mail worker looks for the user, so neither answer nor timing reveals who has an account. */

export async function requestPasswordReset(email: string, from: RequestSource) {
  const asked = { from, budget: 'reset' } as const
  await db.transaction((trx) => queuePasswordResetMail(email, asked, trx))
}

/** @throws E_TOO_MANY_REQUESTS; E_MAIL_SERVER_CHANGED for an administrator within a day of a new mail server */
export async function sendPasswordReset(user: User, actor: Actor) {
  assertNotServiceAccount(user)
  assertMay(user.isAdmin ? 'administrator' : 'user.sign_in_methods', actor)
  if (user.isAdmin && mailServerTrialSince() !== null) throw new E_MAIL_SERVER_CHANGED()
  await throttleAdminMail(actor, user.email)
  return db.transaction(async (trx) => {
    await assertActive(actor, trx)
    await record(trx, {
      type: 'password.reset_requested',
      user,
      actor,
      context: { isMailed: false },
    })
  })
}
