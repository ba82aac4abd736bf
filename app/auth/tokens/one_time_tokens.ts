import db from '@adonisjs/lucid/services/db'
import { selectRows } from '#database/select_rows'
import { hashToken } from './hash_token.ts'
import type { Transaction } from '#database/transaction'
import type { OneTimePurpose } from './one_time_purposes.ts'

interface OneTimeTokenRow {
  user_id: string
  purpose: OneTimePurpose
  email: string | null
  fingerprint: string | null
  mail_id: string | null
  caused_at: number | string | null
  expires_at: number | string
}

export interface RedeemedToken {
  userId: string
  purpose: OneTimePurpose
  email: string | null
  fingerprint: string | null
  mailId: string | null
  /** When the mail was queued, in milliseconds since the epoch. */
  causedAt: number | null
}

/** The DELETE decides between parallel callers. @returns null for a token that does not work */
export async function redeemOneTimeToken(
  token: string,
  purposes: OneTimePurpose[],
  trx: Transaction
): Promise<RedeemedToken | null> {
  const marks = purposes.map(() => '?').join(', ')
  const [row] = await selectRows<OneTimeTokenRow>(
    trx,
    `DELETE FROM one_time_tokens WHERE token_hash = ? AND purpose IN (${marks})
     RETURNING user_id, purpose, email, fingerprint, mail_id, caused_at, expires_at`,
    [hashToken(token), ...purposes]
  )
  if (!row || Number(row.expires_at) <= Date.now()) return null
  const { user_id: userId, purpose, email, fingerprint, mail_id: mailId } = row
  return { userId, purpose, email, fingerprint, mailId, causedAt: causeOf(row) }
}

function causeOf({ caused_at: causedAt }: OneTimeTokenRow) {
  return causedAt === null ? null : Number(causedAt)
}

/** Does not use up the token, because mail scanners open links before users do. */
export async function findLiveToken(token: string, purposes: OneTimePurpose[]) {
  const row: OneTimeTokenRow | null = await db
    .from('one_time_tokens')
    .where('token_hash', hashToken(token))
    .whereIn('purpose', purposes)
    .where('expires_at', '>', Date.now())
    .first()
  if (!row) return null
  const { user_id: userId, purpose, email, fingerprint } = row
  return { userId, purpose, email, fingerprint, causedAt: causeOf(row) }
}

export async function hasLiveToken(mailId: string) {
  const query = db.from('one_time_tokens').where('mail_id', mailId)
  return Boolean(await query.where('expires_at', '>', Date.now()).select('id').first())
}
