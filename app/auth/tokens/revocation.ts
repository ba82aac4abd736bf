import db from '@adonisjs/lucid/services/db'
import store from '#auth/store/service'
import { E_INVALID_TOKEN } from '#auth/errors'
import { E_FORBIDDEN } from '#exceptions/http_errors'
import { ADMIN_ROLE } from '#models/user'
import { recordAudit } from '#audit/trail'
import { readAccessToken, sessionOf } from './access_tokens.ts'
import type { Actor } from '#audit/actor'

/**
 * Revokes an access token before it expires: one of the caller, or of any user for an
 * administrator. An expired token is refused anyway, so nothing is stored for it.
 *
 * @throws E_INVALID_TOKEN for a string that is no token of this product, E_FORBIDDEN for a
 * token of another user
 */
export async function revokeAccessToken(
  token: string,
  caller: { id: string; role: string },
  actor: Actor
) {
  const claims = readAccessToken(token)
  if (!claims) throw new E_INVALID_TOKEN()
  if (claims.sub !== caller.id && caller.role !== ADMIN_ROLE) throw new E_FORBIDDEN()
  const expiresAt = claims.exp * 1_000
  if (expiresAt <= Date.now()) return
  const reference = { userId: claims.sub, sessionId: sessionOf(claims), tokenId: claims.jti }
  await db.transaction(async (trx) => {
    const isRevoked = await store.revokeToken(reference, expiresAt, trx)
    if (!isRevoked) return
    const details = { sessionId: reference.sessionId }
    await recordAudit({ action: 'token.revoked', actor, targetId: claims.sub, details }, trx)
  })
}
