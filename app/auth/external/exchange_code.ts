import { randomBytes } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import settings from '#config/external'
import User from '#models/user'
import { E_INVALID_TOKEN } from '#auth/errors'
import { hashToken } from '#auth/tokens/hash_token'
import type { Transaction } from '#database/transaction'

/*
 | Tokens in a URL would leak through the browser history, logs and referrers. The browser
 | is therefore sent back with a code that works once and for a minute, and the client
 | exchanges it in the body of a request. This file owns the table `external_logins`.
 */

export async function issueExternalCode(user: User, provider: string) {
  const code = randomBytes(32).toString('base64url')
  await db.table('external_logins').insert({
    code_hash: hashToken(code),
    user_id: user.id,
    provider,
    expires_at: Date.now() + settings.codeTtlMs,
  })
  return code
}

/**
 * Redeems a code: the one caller who deletes it gets the user and the provider.
 *
 * @throws E_INVALID_TOKEN
 */
export async function redeemExternalCode(code: string) {
  const matching = () => db.from('external_logins').where('code_hash', hashToken(code))
  const row = await matching().where('expires_at', '>', Date.now()).first()
  const removed = row ? Number(await matching().delete()) : 0
  const user = removed === 1 ? await User.find(row.user_id) : null
  if (!user) throw new E_INVALID_TOKEN()
  return { user, method: row.provider as string }
}

/** Makes the codes of a user useless. */
export async function voidExternalCodes(userId: string, trx: Transaction) {
  await trx.from('external_logins').where('user_id', userId).delete()
}
