import db from '@adonisjs/lucid/services/db'
import { throttleRevocations } from '#auth/lockout/throttle'
import store from '#auth/store/service'
import { E_INVALID_TOKEN } from '#auth/errors'
import { record } from '#events/record'
import { readAccessToken, sessionOf } from './access_tokens.ts'
import type { StandardClaims } from '#auth/signing_keys/claims'
import type { Actor } from '#audit/actor'

type RevocableClaims = Pick<StandardClaims, 'sub' | 'jti' | 'exp'>

/** Also reads expired tokens. @throws E_INVALID_TOKEN for any other text */
export async function readRevocableTokenOrFail(token: string) {
  const claims = await readAccessToken(token)
  if (!claims) throw new E_INVALID_TOKEN()
  return claims
}

/** Stores nothing for an expired token. @throws E_TOO_MANY_REQUESTS; end the session instead */
export async function revokeAccessToken(claims: RevocableClaims, actor: Actor) {
  const expiresAt = claims.exp * 1_000
  if (expiresAt <= Date.now()) return
  const reference = { userId: claims.sub, sessionId: sessionOf(claims), tokenId: claims.jti }
  await throttleRevocations(reference.sessionId)
  await db.transaction(async (trx) => {
    const isRevoked = await store.revokeToken(reference, expiresAt, trx)
    if (!isRevoked) return
    const details = { sessionId: reference.sessionId }
    await record(trx, { type: 'token.revoked', user: { id: claims.sub }, actor, details })
  })
}
