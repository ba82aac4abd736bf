import { v7 as uuidv7 } from 'uuid'
import db from '@adonisjs/lucid/services/db'
import encryption from '@adonisjs/core/services/encryption'
import limits from '#config/limits'
import { ONE_TIME_TTL_MS } from '#auth/tokens/one_time_purposes'
import { selectRows } from '#database/select_rows'
import type { Transaction } from '#database/transaction'
import { hashOf, PURPOSE, CODE_TTL_MS, type AddressCodeRow } from './address_code_rows.ts'

/** The sign-in to an application that waits in one browser. */
export interface WaitingSignIn {
  /** The id of the interaction or device code; the table contains only its hash. */
  id: string
  userId: string
  webSessionId: string
  clientId: string
  deviceName: string
  /** The path where the browser continues. */
  path: string
}

/** Stores one row for each browser and application: a restarted sign-in keeps its mailed code. */
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
  /** Whether to send another mail while the last one is still valid. */
  isForced: boolean
}

/** The UPDATE decides which parallel request queues the mail. It removes a used-up code. */
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

export async function findWaiting(id: string, trx?: Transaction): Promise<AddressCodeRow | null> {
  return (trx ?? db)
    .from('address_codes')
    .where('id', id)
    .where('expires_at', '>', Date.now())
    .first()
}

export function returnPathOf({ return_path: sealed }: AddressCodeRow) {
  return encryption.decrypt<string>(sealed, PURPOSE)
}

export async function forgetWaiting(id: string, trx: Transaction) {
  await trx.from('address_codes').where('id', id).delete()
}
