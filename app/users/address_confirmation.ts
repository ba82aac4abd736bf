import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import limits from '#config/limits'
import { E_ADDRESS_CODE_EXPIRED, E_INVALID_ADDRESS_CODE, E_INVALID_TOKEN } from '#auth/errors'
import { isAddressCode } from '#auth/address_codes/address_code'
import {
  claimMail,
  findWaiting,
  forgetWaiting,
  rememberWaiting,
  reserveTry,
  takeAddressCode,
  type WaitingSignIn,
} from '#auth/address_codes/address_code_rows'
import { lockForChange } from '#auth/lock_for_change'
import { throttleOwnMail } from '#auth/lockout/mail_budget'
import { consume } from '#auth/lockout/rate_limit'
import { findLiveToken } from '#auth/tokens/one_time_tokens'
import { queueMail } from '#mails/queue/queue_mail'
import { deleteUser } from './delete_user.ts'
import { isDeclinable, markAddressVerified } from './email_verification.ts'
import { anonymousActor, type Actor } from '#audit/actor'
import type { RequestSource } from '#auth/sessions/device'
import type { Transaction } from '#database/transaction'

/* Applications that ask for a verified address wait until its owner typed a code or opened a link. */

export interface Waiting extends WaitingSignIn {
  /** Of the application, for the mail. */
  name: string
}

/** The new address of the user, while it is pending. */
export function addressToConfirm(user: User) {
  return user.currentPendingEmail ?? user.email
}

/** Sends a mail unless a good one was sent. @returns the address */
export function awaitConfirmation(waiting: Waiting, user: User) {
  return db.transaction((trx) => queueCode(waiting, { user, isForced: false }, trx))
}

/** @throws E_TOO_MANY_REQUESTS */
export async function sendCodeAgain(waiting: Waiting, user: User, ip: string) {
  await throttleOwnMail(ip, user.id)
  return db.transaction((trx) => queueCode(waiting, { user, isForced: true }, trx))
}

async function queueCode(
  waiting: Waiting,
  { user, isForced }: { user: User; isForced: boolean },
  trx: Transaction
) {
  const email = addressToConfirm(user)
  const codeId = await rememberWaiting(waiting, email, trx)
  if (!(await claimMail(codeId, { email, isForced }, trx))) return email
  const { name: application, deviceName } = waiting
  const contents = { codeId, application, deviceName, startedAt: new Date().toISOString() }
  const budget = email === user.email ? 'address_code' : 'new_address'
  const to = { recipient: email, userId: user.id, budget } as const
  await queueMail({ kind: 'address_code', ...to, contents }, trx)
  return email
}

/** @throws E_INVALID_ADDRESS_CODE, E_ADDRESS_CODE_EXPIRED, E_TOO_MANY_REQUESTS, E_EMAIL_TAKEN */
export async function confirmByCode(waiting: Waiting, code: string, actor: Actor) {
  await consume(`address-code:{${waiting.userId}}`, limits.addressCode)
  const reserved = await reserveTry(waiting)
  if (!reserved) throw new E_ADDRESS_CODE_EXPIRED()
  const { attemptsRemaining } = reserved
  if (!isAddressCode(code, reserved)) {
    throw attemptsRemaining > 0
      ? new E_INVALID_ADDRESS_CODE().with({ attemptsRemaining })
      : new E_ADDRESS_CODE_EXPIRED()
  }
  await db.transaction(async (trx) => {
    const user = await lockForChange(waiting.userId, actor, trx)
    if (!(await takeAddressCode(reserved, trx))) throw new E_ADDRESS_CODE_EXPIRED()
    await markAddressVerified(user, { email: reserved.email, actor }, trx)
  })
}

/** What a link of a mail confirms, while a page waits for it. */
export async function findAddressLink(token: string) {
  const link = await findLiveToken(token, ['address_code'])
  const row = link?.fingerprint ? await findWaiting(link.fingerprint) : null
  return row?.email === link?.email ? row : null
}

/**
 * The owner of the mailbox did not sign in.
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

/** For the link of the mail. False in another browser than the one that waits. */
export async function confirmByLink(codeId: string, caller: LinkConfirmation) {
  return db.transaction(async (trx) => {
    const user = await lockForChange(caller.userId, caller.actor, trx)
    const row = await findWaiting(codeId, trx)
    if (row?.user_id !== user.id || row.web_session_id !== caller.webSessionId) return false
    await forgetWaiting(codeId, trx)
    await markAddressVerified(user, { email: row.email, actor: caller.actor }, trx)
    return true
  })
}
