import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { queueVerificationMail } from '#mails/queue/queue_link_mails'
import { E_UNAUTHORIZED } from '#auth/errors'
import { queueEmailChangeMail } from './email_change.ts'

export async function requestVerificationOf(userId: string) {
  const user = await User.find(userId)
  if (!user) throw new E_UNAUTHORIZED()
  const { email, currentPendingEmail: pendingEmail } = user
  await db.transaction((trx) =>
    pendingEmail
      ? queueEmailChangeMail({ userId, email: pendingEmail }, trx)
      : queueVerificationMail(email, { budget: 'verification' }, trx)
  )
}

export function requestVerificationOfAddress(email: string) {
  return db.transaction((trx) => queueVerificationMail(email, { budget: 'verification' }, trx))
}
