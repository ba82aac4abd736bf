import db from '@adonisjs/lucid/services/db'
import type User from '#models/user'
import { E_ADDRESS_CODE_EXPIRED, E_INVALID_ADDRESS_CODE } from '#auth/errors'
import { verifyAddressCode } from '#auth/address_codes/address_code'
import {
  reserveTry,
  redeemAddressCode,
  type ReservedTry,
} from '#auth/address_codes/address_code_rows'
import {
  claimMail,
  rememberWaiting,
  type WaitingSignIn,
} from '#auth/address_codes/waiting_sign_ins'
import { lockForChange } from '#auth/lock_for_change'
import { throttleOwnMail } from '#auth/lockout/mail_budget'
import { releaseNetworkCode, reserveNetworkCode, throttleAddressCode } from '#auth/lockout/throttle'
import { queueMail } from '#mails/queue/queue_mail'
import { markAddressVerified } from './email_verification.ts'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

/* Applications that need a verified address wait until its owner types a code or opens a link. */

export interface Waiting extends WaitingSignIn {
  /** The name of the application, for the mail. */
  name: string
}

/** Returns the pending new address of the user if there is one, else the current address. */
export function addressToConfirm(user: User) {
  return user.currentPendingEmail ?? user.email
}

/** Sends a mail unless the previous one can still be used. @returns the address */
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
  await throttleAddressCode(waiting.userId)
  const attempt = await withinNetwork(actor, () => evaluate(waiting, code))
  if (!attempt?.isRight) throw refusalOf(attempt)
  await db.transaction(async (trx) => {
    const user = await lockForChange(waiting.userId, actor, trx)
    if (!(await redeemAddressCode(attempt, trx))) throw new E_ADDRESS_CODE_EXPIRED()
    await markAddressVerified(user, { email: attempt.email, actor }, trx)
  })
}

type EvaluatedTry = ReservedTry & { isRight: boolean }

/** Counts only wrong codes: accounts are free, and many of them could guess six digits. */
async function withinNetwork(
  { ip }: Actor,
  evaluateCode: () => Promise<EvaluatedTry | null>
): Promise<EvaluatedTry | null> {
  if (ip === null) return evaluateCode()
  await reserveNetworkCode(ip)
  let attempt: EvaluatedTry | null = null
  try {
    attempt = await evaluateCode()
  } finally {
    if (!attempt || attempt.isRight) await releaseNetworkCode(ip)
  }
  return attempt
}

/** @returns null for a code that was not mailed, has expired or has no try left */
async function evaluate(waiting: Waiting, code: string): Promise<EvaluatedTry | null> {
  const reserved = await reserveTry(waiting)
  return reserved && { ...reserved, isRight: verifyAddressCode(code, reserved) }
}

function refusalOf(attempt: EvaluatedTry | null) {
  if (!attempt || attempt.attemptsRemaining === 0) return new E_ADDRESS_CODE_EXPIRED()
  const { attemptsRemaining } = attempt
  return new E_INVALID_ADDRESS_CODE().with({ attemptsRemaining })
}
