import { createHash, randomBytes } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import settings from '#config/external'
import User from '#models/user'
import { E_INVALID_TOKEN } from '#auth/errors'
import { hashToken } from '#auth/tokens/hash_token'
import type { ConfirmedIdentity } from './link_identity.ts'
import type { Transaction } from '#database/transaction'

/*
 | Tokens in a URL would leak through the browser history, logs and referrers. The browser
 | is therefore sent back with a code that works once and for a minute, and the client
 | exchanges it in the body of a request. This file owns the table `external_logins`.
 */

/** A user whom a provider has identified, and with which identity. */
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
 * Redeems a code: the one caller who deletes it gets the user and the identity. A password
 * that has changed since ends the code, as it ends a challenge: its owner has taken the
 * account back meanwhile.
 *
 * A code with a challenge needs its verifier, and a code without one accepts none: an
 * attacker could otherwise start a login without a challenge and have a client that sends
 * verifiers redeem its code (PKCE downgrade, RFC 9700, section 4.8).
 *
 * @throws E_INVALID_TOKEN
 */
export async function redeemExternalCode(code: string, verifier?: string): Promise<ExternalSignIn> {
  const challenge = verifier === undefined ? null : challengeOf(verifier)
  const matching = () =>
    db.from('external_logins').where({ code_hash: hashToken(code), code_challenge: challenge })
  const row = await matching().where('expires_at', '>', Date.now()).first()
  const removed = row ? Number(await matching().delete()) : 0
  const user = removed === 1 ? await User.find(row.user_id) : null
  const isUnchanged = user?.passwordChangedAt?.toMillis() === Number(row?.password_changed_at)
  if (!user || !isUnchanged) throw new E_INVALID_TOKEN()
  return { user, identity: JSON.parse(row.identity) }
}

/** `S256` of RFC 7636, section 4.2. */
function challengeOf(verifier: string) {
  return createHash('sha256').update(verifier).digest('base64url')
}

/** Makes the codes of a user useless: all, or those of one provider. */
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
