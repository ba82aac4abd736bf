import { randomBytes } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import settings from '#config/external'
import User from '#models/user'
import { E_INVALID_TOKEN } from '#auth/errors'
import { hashToken } from '#auth/tokens/hash_token'

/*
 | Tokens have no business in an address: a browser is sent back with a code that is good
 | once and for a minute, and the client exchanges it in the body of a request.
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
 * Who a code stands for, and through which provider: for the one caller who removes it.
 *
 * @throws E_INVALID_TOKEN
 */
export async function redeemExternalCode(code: string) {
  const mine = () => db.from('external_logins').where('code_hash', hashToken(code))
  const row = await mine().where('expires_at', '>', Date.now()).first()
  const removed = row ? Number(await mine().delete()) : 0
  const user = removed === 1 ? await User.find(row.user_id) : null
  if (!user) throw new E_INVALID_TOKEN()
  return { user, method: row.provider as string }
}
