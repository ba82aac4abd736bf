import { createHash, randomBytes } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import settings from '#config/external'
import User from '#models/user'
import { E_INVALID_TOKEN } from '#auth/errors'
import { hashToken } from '#auth/tokens/hash_token'
import type { ConfirmedIdentity } from './link_identity.ts'
import type { Transaction } from '#database/transaction'

// Tokens in a URL leak through history, logs and referrers, so the URL contains a code instead. The
// code works one time and for a minute. This file owns `external_logins`.

interface ExternalSignIn {
  user: User
  identity: ConfirmedIdentity
}

export async function issueExternalCode(
  { user, identity }: ExternalSignIn,
  codeChallenge?: string
) {
  const code = randomBytes(32).toString('base64url')
  await db.table('external_logins').insert({
    code_hash: hashToken(code),
    user_id: user.id,
    provider: identity.provider,
    identity: JSON.stringify(identity),
    code_challenge: codeChallenge ?? null,
    password_changed_at: user.passwordChangedAt!.toMillis(),
    expires_at: Date.now() + settings.codeTtlMs,
  })
  return code
}

/**
 * A change of the password ends the code: its owner may have taken the account back. A code without
 * a challenge accepts no verifier (PKCE downgrade, RFC 9700, 4.8). @throws E_INVALID_TOKEN
 */
export async function redeemExternalCode(code: string, verifier?: string): Promise<ExternalSignIn> {
  const challenge = verifier === undefined ? null : challengeOf(verifier)
  const matching = () =>
    db.from('external_logins').where({ code_hash: hashToken(code), code_challenge: challenge })
  const row = await matching().where('expires_at', '>', Date.now()).first()
  const removed = row ? Number(await matching().delete()) : 0
  const user = removed === 1 ? await User.findWithConfiguration(row.user_id) : null
  const isUnchanged = user?.passwordChangedAt?.toMillis() === Number(row?.password_changed_at)
  if (!user || !isUnchanged) throw new E_INVALID_TOKEN()
  return { user, identity: JSON.parse(row.identity) }
}

// `S256` of RFC 7636, section 4.2.
function challengeOf(verifier: string) {
  return createHash('sha256').update(verifier).digest('base64url')
}

export async function voidExternalCodes(
  userId: string,
  which: { provider?: string },
  trx: Transaction
) {
  await trx
    .from('external_logins')
    .where({ user_id: userId, ...which })
    .delete()
}
