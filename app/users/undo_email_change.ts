import User from '#models/user'
import { deleteTokens, hasManyTokens } from '#maintenance/delete_tokens'
import { finishDeletions } from '#maintenance/finish_deletions'
import { E_INVALID_TOKEN } from '#auth/errors'
import { endSessions } from '#auth/sessions/sessions'
import { forgetDevices } from '#auth/devices/known_devices'
import { findLiveToken, redeemOneTimeToken } from '#auth/tokens/one_time_tokens'
import { voidTokensAfter, voidTokensToOthers } from '#auth/tokens/void_tokens'
import { deleteUndoMailsAfter, deleteUnsentReports } from '#mails/log/delete_mails'
import { record } from '#events/record'
import { anonymousActor } from '#audit/actor'
import { deleteWithin } from './delete_user.ts'
import { moveToVerifiedAddress } from './email_change.ts'
import { changeRemovingMethods, removeAllSince } from './remove_methods.ts'
import type { RequestSource } from '#auth/sessions/device'
import type { Transaction } from '#database/transaction'

export async function findUndoableChange(token: string) {
  const live = await findLiveToken(token, ['email_change_undo'])
  const user = live && (await User.find(live.userId))
  return user && !user.isDisabled ? live : null
}

/**
 * The requester of the change knew the password, so sessions end and the previous address gets a
 * reset link. Methods added since are removed, because a thief could use them to return.
 * @returns what was removed
 * @throws E_INVALID_TOKEN, also for a disabled user, E_LAST_ADMIN if the last administrator needs
 * the address, and E_EMAIL_TAKEN if another user has proved the previous address
 */
export async function undoEmailChange(token: string, from: RequestSource) {
  const live = await findUndoableChange(token)
  const owner = live && (await User.find(live.userId))
  if (!owner) throw new E_INVALID_TOKEN()
  const squatter = await findSquatter(live)
  if (squatter && (await hasManyTokens(squatter.id))) await deleteTokens(squatter.id)
  const result = await changeRemovingMethods(owner, async (trx, { keepsMethods }) => {
    const user = await User.lockForUpdate(live.userId, trx)
    const undone = await redeemOneTimeToken(token, ['email_change_undo'], trx)
    if (!user || user.isDisabled || !undone) throw new E_INVALID_TOKEN()
    if (squatter) await removeSquatter(squatter, from, trx)
    await restoreAddress(user, undone as UndoneChange, trx)
    const { email, causedAt } = undone as UndoneChange
    const restored = await User.findOrFail(user.id, { client: trx })
    const endedSessions = await endSessions(user.id, { trx })
    const withdrawnDevices = await forgetDevices(user.id, {}, trx)
    const removal = { since: causedAt, keepsMethods }
    const { removed, passkeys } = await removeAllSince(user.id, removal, trx)
    const ended = { endedSessions, withdrawnDevices, ...removed }
    const details = { email: { before: user.email, after: email }, ...ended }
    const event = { type: 'email.change_undone', user: restored, details } as const
    await record(trx, { ...event, actor: anonymousActor(from), context: { passkeys } })
    return { removed }
  })
  if (squatter) await finishDeletions()
  return result
}

interface UndoneChange {
  email: string
  mailId: string
  causedAt: number
}

/** Removes links to later mailboxes, which a thief may read. Links of earlier changes stay. */
async function restoreAddress(user: User, undone: UndoneChange, trx: Transaction) {
  const { email, mailId, causedAt } = undone
  const { id: userId } = user
  await deleteUndoMailsAfter(mailId, userId, trx)
  await voidTokensAfter(mailId, { userId, purpose: 'email_change_undo' }, trx)
  const reports = { userId, purpose: 'sign_in_report', besides: email, since: causedAt } as const
  await deleteUnsentReports(reports, trx)
  await voidTokensToOthers(reports, trx)
  if (user.email !== email) await moveToVerifiedAddress(user, email, trx)
}

async function findSquatter(previous: { userId: string; email: string | null }) {
  const owner = previous.email && (await User.findBy('email', previous.email))
  return owner && owner.id !== previous.userId && isRemovable(owner) ? owner : null
}

/**
 * A thief could register the previous address to keep it from its owner. Administrators are never
 * removed this way, and no user escapes a lock by an administrator.
 */
async function removeSquatter({ id }: User, from: RequestSource, trx: Transaction) {
  const owner = await User.lockForUpdate(id, trx)
  if (owner && isRemovable(owner)) {
    await deleteWithin({ userId: id, actor: anonymousActor(from) }, trx)
  }
}

function isRemovable(user: User) {
  return user.wasNeverVerified && !user.isAdmin && !user.isBarredByAdmin
}
