import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import db from '@adonisjs/lucid/services/db'
import { selectRows } from '#database/select_rows'
import { hashToken } from './hash_token.ts'
import type { Transaction } from '#database/transaction'

export type OneTimePurpose =
  | 'password_reset'
  | 'password_change'
  | 'email_verification'
  | 'email_change'
  | 'email_change_undo'
  | 'invitation'
  | 'sign_in_report'

/** How long a token of each purpose is valid, in milliseconds. */
export const ONE_TIME_TTL_MS: Record<OneTimePurpose, number> = {
  /** Short: an attacker who gets into the mailbox later must find no link that works. */
  password_reset: 30 * 60_000,
  /** Returned at a sign-in with a password that an administrator chose; never mailed. */
  password_change: 30 * 60_000,
  email_verification: 24 * 3_600_000,
  email_change: 24 * 3_600_000,
  /** Long enough for a mailbox that is not read at the weekend. */
  email_change_undo: 72 * 3_600_000,
  invitation: 7 * 24 * 3_600_000,
  /** Long enough for a mail that is read in the morning; it also ends with its session. */
  sign_in_report: 24 * 3_600_000,
}

/**
 * How many links of a purpose work at once. Anyone may ask for these with nothing but an
 * address, and must not void the link that its owner is about to use: twelve is what strangers
 * can cause around the end of an hour, ten by `mailRecipient` and two by `mailBudget`. All
 * others: one.
 */
const LIVE_LINKS: Partial<Record<OneTimePurpose, number>> = {
  password_reset: 12,
  email_verification: 12,
  /** The thief of a session who changes the address again must not void the link to the first one. */
  email_change_undo: Infinity,
}

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
  /** The address that the token was mailed to. */
  email: string | null
  /** The device that the mail was about. */
  fingerprint: string | null
  /** The mail of the link. */
  mailId: string | null
  /** When that mail was queued, in milliseconds since the epoch. */
  causedAt: number | null
}

interface NewToken {
  purpose: OneTimePurpose
  fingerprint?: string | null
  mailId?: string | null
  causedAt?: number | null
}

/**
 * Issues a token, mostly for a link in a mail; only its hash is stored. Earlier tokens of the
 * same purpose, and about the same device if there is one, stop working beyond `LIVE_LINKS`.
 */
export async function issueOneTimeToken(
  user: { id: string; email: string },
  { purpose, fingerprint = null, mailId = null, causedAt = null }: NewToken,
  trx: Transaction
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const now = Date.now()
  await voidEarlierTokens({ userId: user.id, purpose, fingerprint }, trx)
  await trx.table('one_time_tokens').insert({
    id: uuidv7(),
    user_id: user.id,
    purpose,
    token_hash: hashToken(token),
    email: user.email,
    fingerprint,
    mail_id: mailId,
    caused_at: causedAt,
    expires_at: now + ONE_TIME_TTL_MS[purpose],
    created_at: now,
  })
  return token
}

async function voidEarlierTokens(
  {
    userId,
    purpose,
    fingerprint,
  }: { userId: string; purpose: OneTimePurpose; fingerprint: string | null },
  trx: Transaction
) {
  const live = LIVE_LINKS[purpose] ?? 1
  if (live === Infinity) return
  const earlier = () => {
    const query = trx.from('one_time_tokens').where({ user_id: userId, purpose })
    return fingerprint ? query.where('fingerprint', fingerprint) : query
  }
  const kept = await earlier()
    .orderBy('id', 'desc')
    .limit(live - 1)
    .select('id')
  const ids = kept.map(({ id }) => id)
  await earlier().whereNotIn('id', ids).delete()
}

/**
 * Redeems a token. The DELETE decides: of two callers with one token, only one gets the user.
 *
 * @returns null for a token that was used, replaced, never issued or has expired
 */
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
  const causedAt = row.caused_at === null ? null : Number(row.caused_at)
  return { userId, purpose, email, fingerprint, mailId, causedAt }
}

/** Finds a token that still works without using it up: mail scanners open links before users do. */
export async function findLiveToken(token: string, purposes: OneTimePurpose[]) {
  const row: OneTimeTokenRow | null = await db
    .from('one_time_tokens')
    .where('token_hash', hashToken(token))
    .whereIn('purpose', purposes)
    .where('expires_at', '>', Date.now())
    .first()
  if (!row) return null
  const { user_id: userId, purpose, email, fingerprint } = row
  return { userId, purpose, email, fingerprint }
}

/** Makes every token of a user for these purposes useless. */
export async function voidOneTimeTokens(
  userId: string,
  purposes: OneTimePurpose[],
  trx: Transaction
) {
  await trx.from('one_time_tokens').where('user_id', userId).whereIn('purpose', purposes).delete()
}

/** Makes the tokens of mails that were queued after another one useless. */
export async function voidTokensAfter(
  mailId: string,
  { userId, purpose }: { userId: string; purpose: OneTimePurpose },
  trx: Transaction
) {
  const tokens = trx.from('one_time_tokens').where({ user_id: userId, purpose })
  await tokens.where('mail_id', '>', mailId).delete()
}
