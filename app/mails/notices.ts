import type { Transaction } from '#auth/store/contract'
import User from '#models/user'
import { queueMail } from './mail_queue.ts'

/** Tells the owner of an e-mail, if it has one, that the account was locked. */
export async function notifyAccountLocked(email: string, until: number, trx: Transaction) {
  const user = await User.findBy('email', email, { client: trx })
  if (!user) return
  const lockedUntil = new Date(until).toISOString()
  await queueMail(
    { kind: 'account_locked', recipient: email, userId: user.id, contents: { lockedUntil } },
    trx
  )
}
