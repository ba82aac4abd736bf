import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { E_NOT_FOUND } from '#auth/errors'
import { recordAudit } from '#audit/trail'
import { mailInvitation } from './registration.ts'
import { deleteAccount } from './administration.ts'
import type { Actor } from '#audit/actor'

/** Whether an account was invited and has not set a password yet. */
export function isPending(user: User) {
  return !user.password && !user.provider && !user.lastLoginAt
}

async function findPending(userId: string) {
  const user = await User.find(userId)
  if (!user || !isPending(user)) throw new E_NOT_FOUND()
  return user
}

/** Mails a fresh invitation; the link of the one before stops working. */
export async function resendInvitation(userId: string, actor: Actor) {
  const user = await findPending(userId)
  return db.transaction(async (trx) => {
    await mailInvitation(user, trx)
    await recordAudit({ action: 'account.invited', actor, targetId: user.id }, trx)
    return user
  })
}

/** Takes an invitation back: the account goes with it, because nobody ever had it. */
export async function revokeInvitation(userId: string, actor: Actor) {
  const user = await findPending(userId)
  return deleteAccount(user.id, actor)
}
