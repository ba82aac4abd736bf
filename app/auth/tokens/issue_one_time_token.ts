import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import limits from '#config/limits'
import { hashToken } from './hash_token.ts'
import { ONE_TIME_TTL_MS, type OneTimePurpose } from './one_time_purposes.ts'
import type { Transaction } from '#database/transaction'

/** Purposes that anyone can request, with several live links; other purposes have one live link. */
const ANYONE_ASKS_FOR: OneTimePurpose[] = ['password_reset', 'email_verification']

interface NewToken {
  purpose: OneTimePurpose
  fingerprint?: string | null
  mailId?: string | null
  causedAt?: number | null
  expiresAt?: number
}

/** Stores only a hash. Beyond `liveLinks`, earlier tokens of a purpose and device stop working. */
export async function issueOneTimeToken(
  user: { id: string; email: string },
  { purpose, fingerprint = null, mailId = null, causedAt = null, expiresAt }: NewToken,
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
    expires_at: expiresAt ?? now + ONE_TIME_TTL_MS[purpose],
    created_at: now,
  })
  return token
}

/** Makes the links' pages say “confirmed”, and removes the address, which must not be kept. */
export async function markVerificationLinks(userId: string, trx: Transaction) {
  const links = trx
    .from('one_time_tokens')
    .where({ user_id: userId })
    .whereIn('purpose', ['email_verification', 'address_code'])
  await links.update({ purpose: 'email_verified', email: null, fingerprint: null })
}

/** Does the same for the link that was redeemed. */
export async function markVerifiedLink(userId: string, redeemed: string, trx: Transaction) {
  await trx.table('one_time_tokens').insert({
    id: uuidv7(),
    user_id: userId,
    purpose: 'email_verified',
    token_hash: hashToken(redeemed),
    expires_at: Date.now() + ONE_TIME_TTL_MS.email_verified,
    created_at: Date.now(),
  })
}

interface Issued {
  userId: string
  purpose: OneTimePurpose
  fingerprint: string | null
}

async function voidEarlierTokens(issued: Issued, trx: Transaction) {
  const live = liveLinksOf(issued.purpose)
  if (live === Infinity) return
  const newest = earlierTokens(issued, trx).orderBy('id', 'desc')
  const kept = await newest.limit(live - 1).select('id')
  const ids = kept.map(({ id }) => id)
  await earlierTokens(issued, trx).whereNotIn('id', ids).delete()
}

// A thief who changes the address again must not void the link to the first address.
function liveLinksOf(purpose: OneTimePurpose) {
  if (purpose === 'email_change_undo') return Infinity
  return ANYONE_ASKS_FOR.includes(purpose) ? limits.liveLinks : 1
}

function earlierTokens({ userId, purpose, fingerprint }: Issued, trx: Transaction) {
  const query = trx.from('one_time_tokens').where({ user_id: userId, purpose })
  return fingerprint ? query.where('fingerprint', fingerprint) : query
}
