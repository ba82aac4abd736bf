import User from '#models/user'
import { finishDeletions } from '#maintenance/finish_deletions'
import { changeUserKeepingAnAdmin } from '#auth/last_admin'
import { E_INVALID_TOKEN } from '#auth/errors'
import { endSessions } from '#auth/sessions/sessions'
import { withdrawTokens } from '#auth/devices/known_devices'
import {
  findLiveToken,
  redeemOneTimeToken,
  voidTokensAfter,
  voidTokensToOthers,
} from '#auth/tokens/one_time_tokens'
import { deleteUndoMailsAfter, deleteUnsentReports } from '#mails/log/delete_mails'
import { record } from '#events/record'
import { anonymousActor } from '#audit/actor'
import { deleteWithin } from './delete_user.ts'
import { moveToProvenAddress } from './email_change.ts'
import { removeAllSince } from './sign_in_methods.ts'
import type { RequestSource } from '#auth/sessions/device'
import type { Transaction } from '#database/transaction'

/** What a link can still undo, or null: the address of a disabled user stays as it is. */
export async function findUndoableChange(token: string) {
  const live = await findLiveToken(token, ['email_change_undo'])
  const user = live && (await User.find(live.userId))
  return user && !user.isDisabled ? live : null
}

/**
 * “It was not me”, from the mail to the former address: drops a pending address, or puts the
 * former one back. Who asked for the change knew the password, so every session ends and a
 * link to set another one is mailed to the former address.
 *
 * The change is undone with all that came after it: identities, API keys and a second factor
 * that a thief would come back by, or keep the owner out with. Their links go, because a thief
 * who changed the address twice holds one of them; links of earlier changes stay, because the
 * owner may hold one.
 *
 * @returns what was removed
 * @throws E_INVALID_TOKEN, for a disabled user too, and E_LAST_ADMIN, and E_EMAIL_TAKEN if another user has proved the former address
 */
export async function undoEmailChange(token: string, from: RequestSource) {
  const live = await findUndoableChange(token)
  const owner = live && (await User.find(live.userId))
  if (!owner) throw new E_INVALID_TOKEN()
  const squatter = await findSquatter(live)
  const result = await changeUserKeepingAnAdmin(owner, async (trx) => {
    const user = await User.lockForUpdate(live.userId, trx)
    const undone = await redeemOneTimeToken(token, ['email_change_undo'], trx)
    if (!user || user.isDisabled || !undone) throw new E_INVALID_TOKEN()
    if (squatter) await removeSquatter(squatter, from, trx)
    await restoreAddress(user, undone as UndoneChange, trx)
    const { email, causedAt } = undone as UndoneChange
    const restored = await User.findOrFail(user.id, { client: trx })
    const endedSessions = await endSessions(user.id, { trx })
    const withdrawnDevices = await withdrawTokens(user.id, {}, trx)
    const { removed, passkeys } = await removeAllSince(user.id, causedAt, trx)
    const ended = { endedSessions, withdrawnDevices, ...removed }
    const details = { email: { before: user.email, after: email }, ...ended }
    const event = { type: 'email.change_undone', user: restored, details } as const
    await record(trx, { ...event, actor: anonymousActor(from), context: { passkeys } })
    return { removed }
  })
  if (squatter) await finishDeletions()
  return result
}

/** What the token of such a mail always has. */
interface UndoneChange {
  email: string
  mailId: string
  causedAt: number
}

/**
 * The links of later changes go, and reports of sign-ins that were mailed to another address
 * since: whoever reads that mailbox could otherwise end the owner's sessions, and remove what
 * they have added.
 */
async function restoreAddress(user: User, undone: UndoneChange, trx: Transaction) {
  const { email, mailId, causedAt } = undone
  const { id: userId } = user
  await deleteUndoMailsAfter(mailId, userId, trx)
  await voidTokensAfter(mailId, { userId, purpose: 'email_change_undo' }, trx)
  const reports = { userId, purpose: 'sign_in_report', besides: email, since: causedAt } as const
  await deleteUnsentReports(reports, trx)
  await voidTokensToOthers(reports, trx)
  if (user.email !== email) await moveToProvenAddress(user, email, trx)
}

/** A user who took the former address meanwhile and never proved it. */
async function findSquatter(former: { userId: string; email: string | null }) {
  const holder = former.email && (await User.findBy('email', former.email))
  return holder && holder.id !== former.userId && isRemovable(holder) ? holder : null
}

/**
 * Removes that user: a thief could otherwise register the address, so that the owner of the
 * mailbox cannot have it back. Only a link that works removes anybody, and with what it undoes.
 * It makes no end of an administrator: the address then is taken.
 */
async function removeSquatter({ id }: User, from: RequestSource, trx: Transaction) {
  const holder = await User.lockForUpdate(id, trx)
  if (holder && isRemovable(holder)) {
    await deleteWithin({ userId: id, actor: anonymousActor(from) }, trx)
  }
}

function isRemovable({ wasNeverVerified, isAdmin }: User) {
  return wasNeverVerified && !isAdmin
}
