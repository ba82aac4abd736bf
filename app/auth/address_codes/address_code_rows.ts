import { v7 as uuidv7 } from 'uuid'
import db from '@adonisjs/lucid/services/db'
import encryption from '@adonisjs/core/services/encryption'
import limits from '#config/limits'
import { hashToken } from '#auth/tokens/hash_token'
import { ONE_TIME_TTL_MS } from '#auth/tokens/one_time_purposes'
import { selectRows } from '#database/select_rows'
import { newAddressCode } from './address_code.ts'
import type { Transaction } from '#database/transaction'

/* This file owns `address_codes`. Each change is one statement, so that parallel tries count. */

/** A mail is good for so long: its code works, and the page sends no other by itself. */
export const CODE_TTL_MS = 10 * 60_000

/** The sign-in to an application that waits in one browser. */
export interface WaitingSignIn {
  /** Of the interaction or device code; the table has only its hash. */
  id: string
  userId: string
  webSessionId: string
  clientId: string
  deviceName: string
  /** Where the browser goes on. */
  path: string
}

export interface AddressCodeRow {
  id: string
  user_id: string
  web_session_id: string
  email: string
  return_path: string
  device_name: string
  created_at: number | string
}

const PURPOSE = 'path of a sign-in'

const hashOf = ({ id }: Pick<WaitingSignIn, 'id'>) => hashToken(`waiting:${id}`)

/** One for each browser and application: a sign-in that starts again keeps the code of its mail. */
export async function rememberWaiting(waiting: WaitingSignIn, email: string, trx: Transaction) {
  const now = Date.now()
  const [row] = await selectRows<{ id: string }>(
    trx,
    `INSERT INTO address_codes (id, user_id, web_session_id, client_id, waiting_hash, return_path,
       device_name, email, tries, created_at, expires_at)
     VALUES (:id, :userId, :webSessionId, :clientId, :waiting, :path, :deviceName, :email, 0,
       :now, :expiresAt)
     ON CONFLICT (web_session_id, client_id) DO UPDATE SET
       waiting_hash = excluded.waiting_hash, return_path = excluded.return_path,
       expires_at = excluded.expires_at
     RETURNING id`,
    {
      id: uuidv7(),
      userId: waiting.userId,
      webSessionId: waiting.webSessionId,
      clientId: waiting.clientId,
      waiting: hashOf(waiting),
      path: encryption.encrypt(waiting.path, { purpose: PURPOSE }),
      deviceName: waiting.deviceName,
      email,
      now,
      expiresAt: now + ONE_TIME_TTL_MS.address_code,
    }
  )
  return row.id
}

interface ClaimOptions {
  email: string
  /** Also while the last mail is good. */
  isForced: boolean
}

/** The UPDATE decides which of parallel requests queues the mail. A code that was used up goes. */
export async function claimMail(id: string, { email, isForced }: ClaimOptions, trx: Transaction) {
  const now = Date.now()
  const [row] = await selectRows<{ created_at: number }>(
    trx,
    `UPDATE address_codes SET
       code_hash = CASE WHEN email = :email AND tries < :tries THEN code_hash END,
       tries = CASE WHEN tries < :tries THEN tries ELSE 0 END,
       email = :email, mailed_at = :now
     WHERE id = :id AND (:isForced = 1 OR mailed_at IS NULL OR mailed_at <= :earliest
       OR email <> :email OR tries >= :tries)
     RETURNING created_at`,
    {
      id,
      email,
      now,
      tries: limits.addressCodeTries,
      isForced: isForced ? 1 : 0,
      earliest: now - CODE_TTL_MS,
    }
  )
  return row !== undefined
}

/** Called when the mail is written, so that the queue stores no code. Null if no page waits. */
export async function issueAddressCode(
  { id, email }: { id: string; email: string },
  trx: Transaction
) {
  const { code, hash } = newAddressCode(id)
  const issued = { code_hash: hash, code_expires_at: Date.now() + CODE_TTL_MS, tries: 0 }
  const updated = await trx.from('address_codes').where({ id, email }).update(issued)
  return Number(updated) === 1 ? code : null
}

export interface ReservedTry {
  id: string
  email: string
  codeHash: string
  attemptsRemaining: number
}

/** AttemptKey before the code is compared. @returns null if there is no code, or no try left */
export async function reserveTry(
  waiting: Pick<WaitingSignIn, 'id' | 'webSessionId' | 'userId'>
): Promise<ReservedTry | null> {
  const [row] = await selectRows<AddressCodeRow & { code_hash: string; tries: number }>(
    db.connection(),
    `UPDATE address_codes SET tries = tries + 1
     WHERE waiting_hash = ? AND web_session_id = ? AND user_id = ? AND code_hash IS NOT NULL
       AND tries < ? AND code_expires_at > ?
     RETURNING id, email, code_hash, tries`,
    [hashOf(waiting), waiting.webSessionId, waiting.userId, limits.addressCodeTries, Date.now()]
  )
  if (!row) return null
  const { id, email, code_hash: codeHash, tries } = row
  return { id, email, codeHash, attemptsRemaining: limits.addressCodeTries - Number(tries) }
}

/** False for the second of two requests with the right code. */
export async function takeAddressCode(
  { id, codeHash }: Pick<ReservedTry, 'id' | 'codeHash'>,
  trx: Transaction
) {
  const taken = await trx.from('address_codes').where({ id, code_hash: codeHash }).delete()
  return Number(taken) === 1
}

export async function findWaiting(id: string, trx?: Transaction) {
  const row: AddressCodeRow | null = await (trx ?? db)
    .from('address_codes')
    .where('id', id)
    .where('expires_at', '>', Date.now())
    .first()
  return row
}

export function returnPathOf({ return_path: sealed }: AddressCodeRow) {
  return encryption.decrypt<string>(sealed, PURPOSE)
}

export async function forgetWaiting(id: string, trx: Transaction) {
  await trx.from('address_codes').where('id', id).delete()
}
