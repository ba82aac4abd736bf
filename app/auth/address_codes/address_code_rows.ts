import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import { hashToken } from '#auth/tokens/hash_token'
import { selectRows } from '#database/select_rows'
import { newAddressCode } from './address_code.ts'
import type { Transaction } from '#database/transaction'
import type { WaitingSignIn } from './waiting_sign_ins.ts'

/* This file owns `address_codes`. A change is one statement, so that all parallel tries count. */

/** How long a mail is valid: its code works, and the page sends no other mail by itself. */
export const CODE_TTL_MS = 10 * 60_000

export interface AddressCodeRow {
  id: string
  user_id: string
  web_session_id: string
  email: string
  return_path: string
  device_name: string
  created_at: number | string
}

export const PURPOSE = 'path of a sign-in'

export const hashOf = ({ id }: Pick<WaitingSignIn, 'id'>) => hashToken(`waiting:${id}`)

/** Call it when the mail is written: the queue stores no code. Returns null if no page waits. */
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

/** Counts the try before the code is compared. @returns null if no code or no try is left */
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

/** Returns false for the second of two requests with the right code. */
export async function redeemAddressCode(
  { id, codeHash }: Pick<ReservedTry, 'id' | 'codeHash'>,
  trx: Transaction
) {
  const taken = await trx.from('address_codes').where({ id, code_hash: codeHash }).delete()
  return Number(taken) === 1
}
