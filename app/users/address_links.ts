import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { E_INVALID_TOKEN } from '#auth/errors'
import { findWaiting, forgetWaiting } from '#auth/address_codes/waiting_sign_ins'
import { lockForChange } from '#auth/lock_for_change'
import { findLiveToken } from '#auth/tokens/one_time_tokens'
import { deleteUser } from './delete_user.ts'
import { isDeclinable, markAddressVerified } from './email_verification.ts'
import { anonymousActor, type Actor } from '#audit/actor'
import type { AddressCodeRow } from '#auth/address_codes/address_code_rows'
import type { RequestSource } from '#auth/sessions/device'

/** Returns the row that a mailed link confirms, while a page waits for the confirmation. */
export async function findAddressLink(token: string) {
  const link = await findLiveToken(token, ['address_code'])
  const row = link?.fingerprint ? await findWaiting(link.fingerprint) : null
  return row?.email === link?.email ? row : null
}

/**
 * Declines the address for the owner of the mailbox, who did not sign in.
 * @returns `deleted` for an account that was never verified: the owner could not take it back
 * @throws E_INVALID_TOKEN
 */
export async function declineAddress(token: string, from: RequestSource) {
  const row = await findAddressLink(token)
  const user = row && (await User.find(row.user_id))
  if (!user) throw new E_INVALID_TOKEN()
  const assertDeletable = (current: User) => {
    if (!isDeclinable(current, row)) throw new E_INVALID_TOKEN()
  }
  if (isDeclinable(user, row)) {
    await deleteUser(user.id, anonymousActor(from), { assertDeletable })
    return 'deleted'
  }
  await db.transaction((trx) => forgetWaiting(row.id, trx))
  return 'forgotten'
}

interface LinkConfirmation {
  userId: string
  webSessionId: string
  actor: Actor
}

/** Confirms by the mailed link. Returns false in a browser other than the one that waits. */
export async function confirmByLink(
  { id, email }: Pick<AddressCodeRow, 'id' | 'email'>,
  caller: LinkConfirmation
) {
  return db.transaction(async (trx) => {
    const user = await lockForChange(caller.userId, caller.actor, trx)
    const row = await findWaiting(id, trx)
    if (row?.user_id !== user.id || row.web_session_id !== caller.webSessionId) return false
    /** The user may have asked for another address since the link was read. */
    if (row.email !== email) return false
    await forgetWaiting(id, trx)
    await markAddressVerified(user, { email: row.email, actor: caller.actor }, trx)
    return true
  })
}
