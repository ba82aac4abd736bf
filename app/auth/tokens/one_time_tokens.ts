import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { selectRows } from '#auth/store/sql'
import type { Transaction } from '#auth/store/contract'
import { hashToken } from './refresh_tokens.ts'

export type OneTimePurpose = 'password_reset' | 'email_verification' | 'invitation'

/** How long a link in a mail is good for, in milliseconds. */
export const ONE_TIME_TTL_MS: Record<OneTimePurpose, number> = {
  /** Short: whoever reads the mailbox later must find nothing that works. */
  password_reset: 30 * 60_000,
  email_verification: 24 * 3_600_000,
  invitation: 7 * 24 * 3_600_000,
}

interface OneTimeTokenRow {
  user_id: string
  email: string | null
  expires_at: number | string
}

/**
 * Issues a token for a link in a mail; only its hash is kept. An earlier one of the same
 * purpose stops working, so that the newest mail is the one that counts.
 */
export async function issueOneTimeToken(
  user: { id: string; email: string },
  purpose: OneTimePurpose,
  trx: Transaction
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const now = Date.now()
  await trx.from('one_time_tokens').where({ user_id: user.id, purpose }).delete()
  await trx.table('one_time_tokens').insert({
    id: uuidv7(),
    user_id: user.id,
    purpose,
    token_hash: hashToken(token),
    email: user.email,
    expires_at: now + ONE_TIME_TTL_MS[purpose],
    created_at: now,
  })
  return token
}

/**
 * Redeems a token: the deletion decides, so that of two callers one gets the user and
 * the other nothing.
 *
 * @returns whose token it was and the address it was mailed to, or null
 */
export async function redeemOneTimeToken(
  token: string,
  purposes: OneTimePurpose[],
  trx: Transaction
): Promise<{ userId: string; email: string | null } | null> {
  const marks = purposes.map(() => '?').join(', ')
  const [row] = await selectRows<OneTimeTokenRow>(
    trx,
    `DELETE FROM one_time_tokens WHERE token_hash = ? AND purpose IN (${marks})
     RETURNING user_id, email, expires_at`,
    [hashToken(token), ...purposes]
  )
  if (!row || Number(row.expires_at) <= Date.now()) return null
  return { userId: row.user_id, email: row.email }
}

/** Makes every link that was mailed for these purposes useless. */
export async function voidOneTimeTokens(
  userId: string,
  purposes: OneTimePurpose[],
  trx: Transaction
) {
  await trx.from('one_time_tokens').where('user_id', userId).whereIn('purpose', purposes).delete()
}
